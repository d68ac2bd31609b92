"""What can be set of events."""

from __future__ import annotations

from masthead import Setting, boolean, text

CALENDAR_NAME = Setting(
    "masthead.events.calendar",
    text,
    "Events",
    "What the calendar of events is called by the programs that subscribe to it.",
)
WHOLE_DAYS = Setting(
    "masthead.events.whole_days",
    boolean,
    "true",
    "Whether an event that starts at midnight UTC, and ends so or not at all, lasts whole days in"
    " the calendar, as one with bare dates should. Set it to false where events start at that hour:"
    " it is 19:00 in New York and 9:00 in Tokyo.",
)
