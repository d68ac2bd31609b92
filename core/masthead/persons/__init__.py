"""The addresses that persons had: written when an address changes, read for their data."""
