"""Delivering: what a worker does with the outbox."""
