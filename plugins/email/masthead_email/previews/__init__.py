"""Previews of letters: newsletters, composed e-mails and templates, stored or not."""
