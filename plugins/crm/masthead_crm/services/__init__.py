"""Queries and changes of contacts, their progression and their follow-ups."""
