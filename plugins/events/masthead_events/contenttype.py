"""The declaration of the content type of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead import ContentType, Feed, Period, ProblemCode, translatable, wrong_field
from masthead_events.cancellations import record_cancellations
from masthead_events.models import Event
from masthead_events.settings import WHOLE_DAYS


def check_dates(values: Mapping[str, Any]) -> None:
    """Refuse an event that ends before it starts.

    :param values: all fields by wire name; the dates are aware datetimes, ``endDate`` may be None.
    :raises Invalid: if ``endDate`` is before ``startDate``.
    """
    if values["endDate"] is not None and values["endDate"] < values["startDate"]:
        raise wrong_field("endDate", ProblemCode.CONFLICTING, "Must not be before startDate")


EVENTS = ContentType(
    name="events",
    label=translatable("Event"),
    model=Event,
    order="startDate",
    upcoming="startDate",
    period=Period("startDate", "endDate", WHOLE_DAYS),
    search_fields=("title", "description", "content", "location"),
    feed=Feed(
        image="imageUrl",
        lead=("startDate", "endDate", "location"),
        whole_days=WHOLE_DAYS,
        elements={
            "ev:startdate": "startDate",
            "ev:enddate": "endDate",
            "ev:location": "location",
        },
        namespaces={"ev": "http://purl.org/rss/1.0/modules/event/"},
    ),
    example={
        "title": "Repair Saturday",
        "description": "Bring what is broken and small enough to carry.",
        "content": "<p>Tea and tools are here.</p>",
    },
    check=check_dates,
    unpublished=record_cancellations,
)
