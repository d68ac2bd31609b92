"""Newsletters: approved, then sent to all subscribers."""
