"""TOTP: codes of authenticator apps as the second step of logins."""
