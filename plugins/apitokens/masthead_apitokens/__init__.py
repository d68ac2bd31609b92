"""API tokens: named credentials with which programs act for users."""
