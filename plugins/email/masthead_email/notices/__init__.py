"""E-mails to staff about what they are told."""
