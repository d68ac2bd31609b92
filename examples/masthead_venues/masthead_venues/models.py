"""The tables of venues and of concerts, which refer to others by the names of their kinds."""

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Bool,
    ContentItem,
    Int,
    Line,
    Ref,
    Refs,
    ResourceItem,
    Timestamp,
    field,
    plugin_metadata,
)


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("venues")


class Venue(ResourceItem, Base):
    """A place for concerts."""

    __tablename__ = "venues_venue"

    name: Mapped[str] = field(Line(), required=True)
    city: Mapped[str | None] = field(Line())
    seats: Mapped[int | None] = field(Int(1))
    published: Mapped[bool] = field(Bool(), default=False, public=False)


class Concert(ContentItem, Base):
    """A concert at a venue."""

    __tablename__ = "venues_concert"

    starts_at: Mapped[datetime] = field(Timestamp(), required=True)
    venue_id: Mapped[int] = field(Ref("venues"), required=True, help="The venue.")
    performer_ids: Mapped[list[int] | None] = field(
        Refs("people", on_delete="clear", embed="performers"), help="The people who perform."
    )
