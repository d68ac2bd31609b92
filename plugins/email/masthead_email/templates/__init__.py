"""Templates of mails."""
