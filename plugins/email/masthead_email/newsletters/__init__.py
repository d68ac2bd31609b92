"""Newsletters: mails to all subscribers, sent after approval."""
