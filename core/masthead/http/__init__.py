"""One request: how it is read, checked and answered."""
