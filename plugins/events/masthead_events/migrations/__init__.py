"""The history of the events tables."""
