"""The table of people."""

from __future__ import annotations

from sqlalchemy import Index, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, validates

from masthead import (
    DIRECTION,
    Bool,
    DisplayName,
    Int,
    LanguageTag,
    Line,
    ResourceItem,
    Str,
    Url,
    checked_as,
    field,
    plugin_metadata,
    text_direction,
)


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("people")


class Person(ResourceItem, Base):
    """A member of the team."""

    __tablename__ = "people_person"

    name: Mapped[str] = field(
        DisplayName(), required=True, help="The name.", example="Ada Lovelace"
    )
    role: Mapped[str] = field(
        Line(), required=True, help="The part that the person plays.", example="Chair"
    )
    image_url: Mapped[str | None] = field(
        Url(),
        help="The address of a portrait.",
        example="/api/images/images/1772357400000-3f9a.webp",
    )
    brief_message: Mapped[str | None] = field(Str(2_000), help="A few words of the person.")
    display_order: Mapped[int] = field(
        Int(), default=0, help="Its place in lists, which begin with the smallest number."
    )
    published: Mapped[bool] = field(
        Bool(), default=False, public=False, help="Whether the public sees it."
    )
    lang: Mapped[str | None] = field(
        LanguageTag(),
        help="The tag of its language; null means that of the organisation.",
        example="de",
    )
    dir: Mapped[str | None] = mapped_column(Text(), info=checked_as(DIRECTION))
    """The direction of the language's script; None if ``lang`` is."""

    @validates("lang")
    def _set_dir(self, _attribute: str, lang: str | None) -> str | None:
        self.dir = lang and text_direction(lang)
        return lang


Index(
    "ix_people_person_listed",
    Person.display_order,
    Person.id,
    sqlite_where=text("published = 1"),
    postgresql_where=text("published"),
)
