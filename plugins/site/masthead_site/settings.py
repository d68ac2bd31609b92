"""What can be set of the site."""

from __future__ import annotations

from masthead import Setting, integer

MESSAGE_DAYS = Setting(
    "masthead.site.message_days",
    integer(0, 36_500),
    "0",
    "Days for which contact messages are kept after they arrived; 0 keeps them for ever.",
    shows=False,
)
