"""Events for Masthead: drafted by staff, approved, read by everybody, also as a calendar."""
