"""What happened, and who did it."""
