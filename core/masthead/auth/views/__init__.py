"""Endpoints of logging in, of one's own profile, and of users and roles."""
