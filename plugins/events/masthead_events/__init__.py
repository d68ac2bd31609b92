"""Events for Masthead: drafted by staff, approved, and published, also as a calendar."""
