"""Full-text search over content and resources, with the same results on both databases."""
