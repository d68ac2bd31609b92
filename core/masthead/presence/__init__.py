"""Presence: the users who have an item open."""
