"""Declarations by which plugins meet without knowing each other."""
