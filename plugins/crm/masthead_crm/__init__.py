"""Contacts for Masthead: who an organisation knows, and whom to get in touch with next."""
