"""E-mails to staff about notifications."""
