"""The people's table."""

from __future__ import annotations

from sqlalchemy import Index, text
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import Bool, Int, ResourceItem, Str, Url, field, plugin_metadata

BRIEF_MESSAGE = 2_000


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("people")


class Person(ResourceItem, Base):
    """A member of the team."""

    __tablename__ = "people_person"

    name: Mapped[str] = field(Str(), required=True)
    role: Mapped[str] = field(Str(), required=True)
    image_url: Mapped[str | None] = field(Url())
    brief_message: Mapped[str | None] = field(Str(BRIEF_MESSAGE))
    display_order: Mapped[int] = field(Int(), default=0)
    published: Mapped[bool] = field(Bool(), default=False)


Index(
    "ix_people_person_listed",
    Person.display_order,
    Person.id,
    sqlite_where=text("published = 1"),
    postgresql_where=text("published"),
)
