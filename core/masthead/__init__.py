"""The core of Masthead."""
