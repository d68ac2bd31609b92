"""Live events for staff clients, as server-sent events."""
