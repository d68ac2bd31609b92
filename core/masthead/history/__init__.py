"""Revisions: former states of content and resources, which staff compare and restore."""
