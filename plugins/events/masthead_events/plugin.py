"""Events as a plugin: a content type, and a calendar of the published events."""

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
from masthead_events.cancellations import delete_old
from masthead_events.contenttype import EVENTS
from masthead_events.demo import create_events
from masthead_events.models import Base
from masthead_events.settings import CALENDAR_NAME, WHOLE_DAYS
from masthead_events.views import ICALENDAR, show_calendar


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the calendar."""
    return [CALENDAR_NAME, WHOLE_DAYS]


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of events."""
    return [EVENTS]


@hookimpl
def masthead_navigation() -> list[NavigationEntry]:
    """Return the page that lists events."""
    return [NavigationEntry("events", "Events", "/events", order=30)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoint of the calendar."""
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
def masthead_jobs() -> list[Job | Chore]:
    """Return the job that deletes old cancellations."""
    return [Job("events.withdrawals", timedelta(days=1), delete_old)]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create the demo's events, one of them in the past and one a draft."""
    create_events(demo)


plugin = Plugin(
    name="events",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_events.migrations",
    texts="masthead_events.texts",
)
