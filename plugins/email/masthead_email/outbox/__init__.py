"""The outbox: messages as they will be sent, and a row for each recipient that loses nothing."""
