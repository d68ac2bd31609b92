"""What site answers, a module per subject."""
