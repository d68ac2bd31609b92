"""Suppressed addresses, as staff see, add and release them."""
