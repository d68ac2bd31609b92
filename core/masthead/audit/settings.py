"""For how long the audit log is kept."""

from __future__ import annotations

from masthead.settings import Setting, integer

DAYS = Setting(
    "masthead.retention.audit",
    integer(0, 36_500),
    "730",
    "Days for which entries of the audit log are kept; 0 keeps them for ever.",
    shows=False,
)
