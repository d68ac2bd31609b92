"""The demo: an empty instance gets a small organisation of our own invention."""
