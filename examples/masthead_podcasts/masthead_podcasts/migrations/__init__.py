"""The history of the episodes' tables."""
