"""The migrations of the calls."""
