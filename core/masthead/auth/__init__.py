"""Authentication and authorisation: users, roles, permissions and tokens."""
