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

    start_date: Mapped[datetime] = field(Timestamp(), required=True)
    end_date: Mapped[datetime | None] = field(Timestamp())
    location: Mapped[str | None] = field(Line())
    image_url: Mapped[str | None] = field(Url())
    link: Mapped[str | None] = field(Url())


class Cancellation(Base):
    """An event that is no longer public; the row outlives the event, to tell calendars."""

    __tablename__ = "events_withdrawal"

    event_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
