"""Parsers of the four image formats, which keep the picture and drop all metadata."""
