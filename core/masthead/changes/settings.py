"""The setting of the change log."""

from __future__ import annotations

from masthead.settings import Setting, integer

DAYS = Setting(
    "masthead.changes.days",
    integer(1, 3650),
    "90",
    "Days for which the change log keeps a change. A client that asks less often has to load"
    " everything again.",
    shows=False,
)
