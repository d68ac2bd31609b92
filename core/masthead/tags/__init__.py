"""Tags, which all content types share."""
