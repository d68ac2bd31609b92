"""Contacts for Masthead, with their progression and follow-ups."""
