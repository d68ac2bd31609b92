"""The calendar of events for calendar programs."""

from __future__ import annotations

from functools import partial

from pyramid.request import Request
from pyramid.response import Response

from masthead import PUBLIC, Endpoint, Instance
from masthead_events.calendar import CalendarWriter

ICALENDAR = "text/calendar"


def show_calendar(writer: CalendarWriter, request: Request) -> Response:
    """The events that the public sees, as a calendar."""
    response = Response(writer.write(request.db), content_type=ICALENDAR, charset="utf-8")
    response.headers["Cache-Control"] = "max-age=3600"
    return response


def endpoints(instance: Instance) -> list[Endpoint]:
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
