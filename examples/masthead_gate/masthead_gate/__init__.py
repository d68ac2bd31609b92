"""A plugin for Masthead with rules for content that becomes public."""
