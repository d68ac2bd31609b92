"""The export of Ghost (JSON), and the two forms in which it stores content."""
