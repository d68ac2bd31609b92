"""The history of the media tables."""
