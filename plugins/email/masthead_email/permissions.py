"""The permissions of the plugin."""

from __future__ import annotations

READ, WRITE = "email.read", "email.write"
ADDRESSES = "email.addresses"
"""The permission to read subscribers and the recipients of mails."""
