"""The settings of the calendar."""

from __future__ import annotations

from masthead import Setting, boolean, text

CALENDAR_NAME = Setting(
    "masthead.events.calendar",
    text,
    "Events",
    "The name of the calendar in the programs that subscribe to it, until staff set the name of the"
    " organisation.",
)
WHOLE_DAYS = Setting(
    "masthead.events.whole_days",
    boolean,
    "true",
    "Whether an event that starts at midnight UTC, and ends at midnight UTC or has no end, lasts"
    " whole days in answers, in the calendar and in feeds, as a date without a time should. Set it"
    " to false if events start at that time of day: it is 19:00 in New York and 9:00 in Tokyo.",
)
