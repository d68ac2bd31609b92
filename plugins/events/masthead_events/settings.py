"""What can be set of events."""

from __future__ import annotations

from masthead import Setting, text

CALENDAR_NAME = Setting(
    "masthead.events.calendar",
    text,
    "Events",
    "What the calendar of events is called by the programs that subscribe to it.",
)
