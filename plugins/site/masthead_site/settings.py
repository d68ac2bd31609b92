"""The settings of the site plugin."""

from __future__ import annotations

from masthead import Setting, integer

MESSAGE_DAYS = Setting(
    "masthead.site.message_days",
    integer(0, 36_500),
    "0",
    "Retention of contact messages in days after their arrival; 0 keeps them without limit.",
    shows=False,
)
