"""The endpoint of the calendar."""

from __future__ import annotations

from pyramid.response import Response

from masthead import Request
from masthead_events.calendar import CalendarWriter

ICALENDAR = "text/calendar"


def show_calendar(writer: CalendarWriter, request: Request) -> Response:
    """Show published events as an iCalendar."""
    response = Response(writer.write(request.db), content_type=ICALENDAR, charset="utf-8")
    response.headers["Cache-Control"] = "max-age=3600"
    return response
