"""The retention setting of notifications."""

from __future__ import annotations

from masthead.settings import Setting, integer

DAYS = Setting(
    "masthead.retention.notifications",
    integer(0, 36_500),
    "90",
    "Days to keep notifications after they are read; 0 keeps them forever.",
    shows=False,
)
