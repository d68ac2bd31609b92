"""The people of an organisation for Masthead: kept by staff, read by everybody."""
