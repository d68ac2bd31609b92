"""Moves a whole website to Masthead: from WordPress, Ghost, Substack, calendars and CSV."""
