"""The history of the email tables."""
