"""The tables of site: pages, navigation, about, static images, and what visitors write."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ID,
    KEY,
    PRIVATE,
    REPLACED_ON_IMPORT,
    Bool,
    Choice,
    Email,
    Html,
    Int,
    NamedItem,
    ResourceItem,
    Str,
    Url,
    field,
    plugin_metadata,
)

DESCRIPTION = 2_000
"""The most characters of a description."""
MESSAGE = 5_000
"""The most characters of a visitor's message."""
LARGEST_ORDER = 1_000_000_000
"""How far an entry of the navigation can be moved to the end."""
NEW, READ, ARCHIVED = "new", "read", "archived"
MISSION, HISTORY = "mission", "history"


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("site")


class Page(ResourceItem, Base):
    """A page of the website that staff write, such as an imprint."""

    __tablename__ = "site_page"

    title: Mapped[str] = field(Str(), required=True)
    slug: Mapped[str] = mapped_column(KEY, unique=True)
    published: Mapped[bool] = field(Bool(), default=False)
    # Last, so that a row's other columns are read without walking through a long text.
    content: Mapped[str | None] = field(Html(), listed=False, sort_order=30)


class Entry(Base):
    """An entry of the navigation: a folder, a page, a link, or what staff changed of a static one.

    It is a folder where ``is_folder``, of a page where ``page_id`` is set, a link where ``path``
    is, and else it is about the static entry ``static_name``.
    """

    __tablename__ = "site_entry"
    # The id is public, so that of a deleted one must not be another's.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    is_folder: Mapped[bool] = mapped_column(default=False)
    page_id: Mapped[int | None] = mapped_column(ForeignKey(Page.id, ondelete="CASCADE"), index=True)
    path: Mapped[str | None] = field(Url())
    static_name: Mapped[str | None] = mapped_column(KEY, unique=True)
    label: Mapped[str | None]
    """None stands for the page's title, or for what the static entry's plugin says."""
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("site_entry.id"), index=True)
    """The folder that it is in."""
    order: Mapped[int | None]
    """Smaller ones come first; None stands for what the static entry's plugin says."""
    hidden: Mapped[bool] = mapped_column(default=False)


class AboutText(Base):
    """One of the texts about the organisation."""

    __tablename__ = "site_about_text"

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    """``MISSION`` or ``HISTORY``."""
    title: Mapped[str] = mapped_column(default="")
    content: Mapped[str] = field(Html(), default="")


class Value(ResourceItem, Base):
    """Something that the organisation stands for."""

    __tablename__ = "site_value"

    title: Mapped[str] = field(Str(), required=True)
    description: Mapped[str] = field(Str(DESCRIPTION), default="")
    icon: Mapped[str] = field(Str(), default="")
    color_class: Mapped[str] = field(Str(), default="")
    order: Mapped[int] = field(Int(), default=0)


class StaticImage(NamedItem, Base):
    """An image that the website shows at a fixed place, and what it should be like."""

    __tablename__ = "site_static_image"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    name: Mapped[str] = field(Str(), required=True)
    description: Mapped[str] = field(Str(DESCRIPTION), default="")
    image_url: Mapped[str] = field(Url(mailto=False), default="")
    recommended_format: Mapped[str] = field(Str(), default="")
    recommended_size: Mapped[str] = field(Str(), default="")
    content_description: Mapped[str | None] = field(Str(DESCRIPTION))


class Message(ResourceItem, Base):
    """What a visitor wrote through the contact form; only staff ever see it."""

    __tablename__ = "site_message"
    __table_args__: Any = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )

    name: Mapped[str] = field(Str(), required=True)
    email: Mapped[str] = field(Email(), required=True)
    subject: Mapped[str] = field(Str(), required=True)
    message: Mapped[str] = field(Str(MESSAGE), required=True)
    status: Mapped[str] = field(Choice(NEW, READ, ARCHIVED), default=NEW)
