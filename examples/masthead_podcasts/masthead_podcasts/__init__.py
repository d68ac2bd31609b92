"""Podcast episodes: drafted by staff, approved, heard by everybody."""
