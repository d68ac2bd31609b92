"""The history of the site tables."""
