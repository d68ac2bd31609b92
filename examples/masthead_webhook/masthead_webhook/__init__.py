"""Calls of another program after each publication, for Masthead."""
