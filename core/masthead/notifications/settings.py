"""For how long notifications are kept."""

from __future__ import annotations

from masthead.settings import Setting, integer

DAYS = Setting(
    "masthead.retention.notifications",
    integer(0, 36_500),
    "90",
    "Days for which notifications are kept after they were read; 0 keeps them for ever.",
    shows=False,
)
