"""Calls to action for Masthead: drafted by staff, approved, published; proposed by visitors."""
