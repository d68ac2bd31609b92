"""The tables of events."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import ID, ContentItem, Line, Timestamp, Url, UTCDateTime, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("events")


class Event(ContentItem, Base):
    """An event."""

    __tablename__ = "events_event"

    start_date: Mapped[datetime] = field(
        Timestamp(),
        required=True,
        help="The time at which it starts.",
        example="2026-05-02T18:00:00.000Z",
    )
    end_date: Mapped[datetime | None] = field(
        Timestamp(),
        help="The time at which it ends; null for an event without a known end.",
        example="2026-05-02T21:00:00.000Z",
    )
    location: Mapped[str | None] = field(Line(), help="The place.", example="The old boathouse")
    image_url: Mapped[str | None] = field(
        Url(),
        help="The address of its image.",
        example="/api/images/images/1772357400000-3f9a.webp",
    )
    link: Mapped[str | None] = field(
        Url(), help="The address of a page about it, such as one for tickets."
    )


class Cancellation(Base):
    """An event that is no longer public; the row outlives the event, to tell calendars."""

    __tablename__ = "events_withdrawal"

    event_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
