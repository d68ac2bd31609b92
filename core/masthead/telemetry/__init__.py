"""Metrics, tracing and the formats of logs: all that an operator observes a process by."""
