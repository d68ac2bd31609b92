"""Webhooks, by which e-mail delivery services report failures and complaints."""
