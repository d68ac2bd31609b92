"""The history of the tables of authenticator apps."""
