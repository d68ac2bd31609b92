"""The retention setting of the audit log."""

from __future__ import annotations

from masthead.settings import Setting, integer

DAYS = Setting(
    "masthead.retention.audit",
    integer(0, 36_500),
    "730",
    "Days to keep entries of the audit log; 0 keeps them forever.",
    shows=False,
)
