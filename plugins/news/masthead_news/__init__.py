"""News articles: drafted by staff, approved, read by everybody."""
