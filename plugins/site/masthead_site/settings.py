"""The settings of the site plugin."""

from __future__ import annotations

from masthead import Setting, integer

MAX_AGE = Setting(
    "masthead.site.max_age",
    integer(0, 86_400),
    "0",
    "Seconds for which browsers and caches may keep the navigation, and the facts about the"
    " organisation, without asking again; until then they may show the former ones. With 0 they ask"
    " each time.",
    shows=False,
)
MESSAGE_DAYS = Setting(
    "masthead.site.message_days",
    integer(0, 36_500),
    "0",
    "Retention of contact messages in days after their arrival; 0 keeps them without limit.",
    shows=False,
)
