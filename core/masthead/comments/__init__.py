"""Comments of staff beside items, which the public never sees."""
