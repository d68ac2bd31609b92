"""The history of the tables of single sign-on."""
