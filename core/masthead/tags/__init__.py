"""Tags, shared by all content."""
