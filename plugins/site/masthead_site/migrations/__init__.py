"""The history of the news tables."""
