"""The history of the people tables."""
