"""Composed e-mails: mails to recipients that their author enters."""
