"""Rendering: from content with placeholders to the bytes of a MIME message."""
