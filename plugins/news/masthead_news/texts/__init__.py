"""The translations of the name of the content type."""
