"""Composed e-mails: written to addresses that are named."""
