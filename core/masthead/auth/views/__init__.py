"""The endpoints for logging in, account recovery, the own profile, users and roles."""
