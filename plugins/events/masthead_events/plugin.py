"""How events joins Masthead: a content type, and a calendar of what is published of it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from masthead import (
    PUBLIC,
    Approvable,
    Chore,
    Demo,
    Endpoint,
    Instance,
    Job,
    NavigationEntry,
    Plugin,
    Setting,
    hookimpl,
)
from masthead_events.calendar import CalendarWriter
from masthead_events.contenttype import EVENTS
from masthead_events.demo import show_events
from masthead_events.models import Base
from masthead_events.settings import CALENDAR_NAME, WHOLE_DAYS
from masthead_events.views import ICALENDAR, show_calendar
from masthead_events.withdrawals import forget_old


class Hooks:
    """What events answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """What the calendar is called, and what it takes for whole days."""
        return [CALENDAR_NAME, WHOLE_DAYS]

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Events."""
        return [EVENTS]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The page that lists events."""
        return [NavigationEntry("events", "Events", "/events", order=30)]

    @hookimpl
    def masthead_routes(self, instance: Instance) -> list[Endpoint]:
        """The calendar."""
        return [
            Endpoint(
                name="events.calendar",
                method="GET",
                path="/api/feed/events.ics",
                view=partial(show_calendar, CalendarWriter(instance)),
                permission=PUBLIC,
                summary="Show published events as an iCalendar",
                returns=ICALENDAR,
                keep=True,
            )
        ]

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        """Forgetting events that were called off long ago."""
        return [Job("events.withdrawals", timedelta(days=1), forget_old)]

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """Events, of which one is over and one a draft."""
        show_events(demo)


plugin = Plugin(name="events", hooks=(Hooks(),), base=Base, migrations="masthead_events.migrations")
