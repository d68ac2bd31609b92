"""The table of people."""

from __future__ import annotations

from sqlalchemy import Index, text
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import Bool, DisplayName, Int, Line, ResourceItem, Str, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("people")


class Person(ResourceItem, Base):
    """A member of the team."""

    __tablename__ = "people_person"

    name: Mapped[str] = field(DisplayName(), required=True)
    role: Mapped[str] = field(Line(), required=True)
    image_url: Mapped[str | None] = field(Url())
    brief_message: Mapped[str | None] = field(Str(2_000))
    display_order: Mapped[int] = field(Int(), default=0)
    published: Mapped[bool] = field(Bool(), default=False, public=False)


Index(
    "ix_people_person_listed",
    Person.display_order,
    Person.id,
    sqlite_where=text("published = 1"),
    postgresql_where=text("published"),
)
