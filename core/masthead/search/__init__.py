"""Full-text search over content: the same words, the same answers on both databases."""
