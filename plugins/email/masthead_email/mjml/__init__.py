"""Letters in MJML, a language of e-mails whose components become tables and styles."""
