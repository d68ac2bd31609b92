"""The history of the tables of venues and concerts."""
