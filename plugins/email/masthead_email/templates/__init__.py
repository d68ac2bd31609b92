"""Templates: texts that mails are made of."""
