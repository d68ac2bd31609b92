"""The events' table."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import ContentItem, Str, Timestamp, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("events")


class Event(ContentItem, Base):
    """Something that takes place at a time."""

    __tablename__ = "events_event"

    start_date: Mapped[datetime] = field(Timestamp(), required=True)
    end_date: Mapped[datetime | None] = field(Timestamp())
    location: Mapped[str | None] = field(Str())
    image_url: Mapped[str | None] = field(Url())
    link: Mapped[str | None] = field(Url())
