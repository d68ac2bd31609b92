"""Mails that other plugins want sent, and what is known of those that somebody got."""
