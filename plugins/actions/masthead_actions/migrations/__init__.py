"""The history of the actions tables."""
