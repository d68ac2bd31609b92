"""The migrations of the contacts' tables."""
