"""The services for logins, account recovery, users and roles."""
