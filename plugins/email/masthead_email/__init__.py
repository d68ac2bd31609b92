"""E-mail for Masthead: subscribers, newsletters, composed e-mails, and an outbox."""
