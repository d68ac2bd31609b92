"""The tables of the site plugin: pages, navigation, texts, static images, contact messages."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, validates

from masthead import (
    DIRECTION,
    ID,
    KEY,
    PRIVATE,
    REPLACED_ON_IMPORT,
    SLUG,
    Bool,
    Choice,
    ClassNames,
    DisplayName,
    Email,
    Html,
    Int,
    LanguageTag,
    Line,
    NamedItem,
    ResourceItem,
    Slug,
    Str,
    Url,
    checked_as,
    field,
    plugin_metadata,
    text_direction,
)

DESCRIPTION = 2_000
"""The maximum length of a description."""
MESSAGE = 5_000
"""The maximum length of a visitor's message."""
LARGEST_ORDER = 1_000_000_000
"""The maximum ``order`` of an entry of the navigation."""
NEW, READ, ARCHIVED = "new", "read", "archived"
MISSION, HISTORY = "mission", "history"


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("site")


class Page(ResourceItem, Base):
    """A page of the website, such as an imprint."""

    __tablename__ = "site_page"

    title: Mapped[str] = field(Line(), required=True, help="The title.", example="How we decide")
    slug: Mapped[str] = field(
        Slug(),
        unique=True,
        default="",
        help="Its part of an address, which is unique; blank in a body means one from the title.",
        example="how-we-decide",
        info=checked_as(SLUG),
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
    # The last column, so that the database reads the others without skipping a long text.
    content: Mapped[str | None] = field(
        Html(), listed=False, sort_order=30, help="The text itself, as HTML."
    )

    @validates("lang")
    def _set_dir(self, _attribute: str, lang: str | None) -> str | None:
        self.dir = lang and text_direction(lang)
        return lang


class Entry(Base):
    """An entry of the navigation: a folder, a page, a link, or staff's changes of a static entry.

    ``is_folder`` marks a folder, ``page_id`` is set for a page, ``path`` for a link, and
    ``static_name`` for the changes of a static entry.
    """

    __tablename__ = "site_entry"
    __area__ = "site"
    # Ids are public, so SQLite must not reuse the id of a deleted entry.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    is_folder: Mapped[bool] = mapped_column(default=False)
    page_id: Mapped[int | None] = mapped_column(ForeignKey(Page.id, ondelete="CASCADE"), index=True)
    path: Mapped[str | None] = field(Url())
    static_name: Mapped[str | None] = mapped_column(KEY, unique=True)
    label: Mapped[str | None]
    """None means the page's title, or the label that the entry's plugin declares."""
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("site_entry.id"), index=True)
    """The folder that contains it."""
    order: Mapped[int | None]
    """Entries are in ascending order; None means the order that the entry's plugin declares."""
    hidden: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(default=1, server_default="1")


class AboutText(Base):
    """One of the texts about the organisation."""

    __tablename__ = "site_about_text"
    __area__ = "site"

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    """``mission`` or ``history``."""
    title: Mapped[str] = mapped_column(default="")
    content: Mapped[str] = field(Html(), default="")
    revision: Mapped[int] = mapped_column(default=1, server_default="1")


class Value(ResourceItem, Base):
    """A value of the organisation."""

    __tablename__ = "site_value"

    title: Mapped[str] = field(
        Line(), required=True, help="The value, in a word or two.", example="Openness"
    )
    description: Mapped[str] = field(
        Str(DESCRIPTION),
        default="",
        help="The value, in a sentence.",
        example="Our books are open to everybody.",
    )
    icon: Mapped[str] = field(
        ClassNames(), default="", help="The name of an icon of the website.", example="door-open"
    )
    color_class: Mapped[str] = field(
        ClassNames(), default="", help="The CSS classes of its colours.", example="text-sky-700"
    )
    order: Mapped[int] = field(
        Int(), default=0, help="Its place, which begins with the smallest number."
    )


class StaticImage(NamedItem, Base):
    """An image at a fixed place of the website, with its recommended format and size."""

    __tablename__ = "site_static_image"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    name: Mapped[str] = field(
        DisplayName(), required=True, help="The name for editors.", example="Logo"
    )
    description: Mapped[str] = field(
        Str(DESCRIPTION), default="", help="The place where the website shows it."
    )
    image_url: Mapped[str] = field(
        Url(mailto=False),
        default="",
        help="The address of the image; blank for none.",
        example="/api/images/images/1772357400000-3f9a.webp",
    )
    recommended_format: Mapped[str] = field(
        Line(), default="", help="The format that suits the place.", example="SVG or PNG"
    )
    recommended_size: Mapped[str] = field(
        Line(), default="", help="The size that suits the place, in pixels.", example="1200 × 630"
    )
    content_description: Mapped[str | None] = field(
        Str(DESCRIPTION), help="The description of the image for readers who can't see it."
    )


class Message(ResourceItem, Base):
    """A visitor's message from the contact form; only staff see it."""

    __tablename__ = "site_message"
    __table_args__: Any = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )

    name: Mapped[str] = field(
        Line(), required=True, help="The name of the visitor.", example="Ada Lovelace"
    )
    email: Mapped[str] = field(Email(), required=True, help="The address of the visitor.")
    subject: Mapped[str] = field(
        Line(), required=True, help="The subject.", example="Opening hours"
    )
    message: Mapped[str] = field(Str(MESSAGE), required=True, help="The text.")
    status: Mapped[str] = field(
        Choice(NEW, READ, ARCHIVED), default=NEW, help="The state of the work on it."
    )
