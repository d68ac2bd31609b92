"""Calls to action for Masthead: drafted by staff, approved, read by everybody; and proposals from outside."""
