"""The history of the table of API tokens."""
