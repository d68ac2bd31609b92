"""Calls to action: drafted by staff, approved, read by everybody; and proposals from outside."""
