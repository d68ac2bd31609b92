"""The outbox: rendered messages, and a durable delivery row per recipient."""
