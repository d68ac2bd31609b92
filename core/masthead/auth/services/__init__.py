"""Logging in, and managing users and roles."""
