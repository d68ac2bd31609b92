"""The migrations of recipes."""
