"""The declaration of the content type of events."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import ContentType, Feed, ItemSave, Period, ProblemCode, translatable, wrong_field
from masthead_events.cancellations import record_cancellations
from masthead_events.models import Event
from masthead_events.settings import WHOLE_DAYS


def check_dates(_session: Session, save: ItemSave) -> None:
    """Refuse an event that ends before it starts.

    :raises Invalid: if ``endDate`` is before ``startDate``.
    """
    end = save.after["endDate"]
    if end is not None and end < save.after["startDate"]:
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
    before_change=check_dates,
    unpublished=record_cancellations,
)
