"""Podcast episodes for Masthead: drafted by staff, approved and published."""
