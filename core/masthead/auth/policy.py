"""Who asks: the bearer token of a request, and what its user may do."""
