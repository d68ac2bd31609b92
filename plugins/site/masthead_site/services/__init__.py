"""What site does, a module per subject."""
