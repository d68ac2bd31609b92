"""Sanitising untrusted HTML for pages and for e-mails."""

from __future__ import annotations

from masthead.html.editors import data_names
from masthead.html.links import change_links
from masthead.html.sanitiser import DEFAULT_EMBED_HOSTS, clean, clean_email

__all__ = ["DEFAULT_EMBED_HOSTS", "change_links", "clean", "clean_email", "data_names"]
