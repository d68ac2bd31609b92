"""News articles for Masthead: drafted by staff, approved and published."""
