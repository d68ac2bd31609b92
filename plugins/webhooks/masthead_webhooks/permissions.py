"""The permissions of the plugin, which its resource declares."""

from __future__ import annotations

READ, WRITE = "webhooks.read", "webhooks.write"
