"""Webhooks: programs elsewhere are called when content changes."""
