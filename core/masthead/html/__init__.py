"""Making HTML from strangers safe to show: what may stay in a page, and what in an e-mail."""

from __future__ import annotations

from masthead.html.links import change_links
from masthead.html.sanitiser import DEFAULT_EMBED_HOSTS, clean, clean_email

__all__ = ["DEFAULT_EMBED_HOSTS", "change_links", "clean", "clean_email"]
