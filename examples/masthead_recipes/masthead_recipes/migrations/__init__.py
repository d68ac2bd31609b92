"""The history of the table of recipes."""
