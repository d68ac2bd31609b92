"""Vacancies for Masthead: they close at a time, and visitors apply with a file."""
