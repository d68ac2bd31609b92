"""The tables of actions, and of what outsiders propose as one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    PRIVATE,
    Choice,
    ContentItem,
    Email,
    Html,
    Int,
    ListOf,
    ResourceItem,
    Str,
    Timestamp,
    Url,
    field,
    plugin_metadata,
)

NEW, REVIEWED, REJECTED, ACCEPTED = "new", "reviewed", "rejected", "accepted"
STATUSES = (NEW, REVIEWED, REJECTED, ACCEPTED)
TEXT = 2_000
"""The most characters of a description, and of what staff note."""
ANONYMOUS_HTML = 64 * 1024
"""The most bytes of HTML that is taken from who isn't logged in."""
MOST_IMAGES = 20


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("actions")


class Action(ContentItem, Base):
    """A call to action: a campaign, a project, a way to take part."""

    __tablename__ = "actions_action"

    icon: Mapped[str | None] = field(Str())
    gradient_class: Mapped[str | None] = field(Str())
    accent_class: Mapped[str | None] = field(Str())
    link: Mapped[str | None] = field(Url())
    cover_image_url: Mapped[str | None] = field(Url())
    display_order: Mapped[int] = field(Int(), staged=False, default=0)


class Proposal(ResourceItem, Base):
    """An action that somebody from outside proposes; only staff ever see it."""

    __tablename__ = "actions_proposal"

    title: Mapped[str] = field(Str(), required=True)
    description: Mapped[str] = field(Str(TEXT), required=True)
    image_urls: Mapped[list[Any]] = field(
        ListOf(Url(mailto=False), max_length=MOST_IMAGES), default=list
    )
    contact_name: Mapped[str] = field(Str(), required=True)
    contact_email: Mapped[str] = field(Email(), required=True)
    contact_phone: Mapped[str | None] = field(Str())
    status: Mapped[str] = field(Choice(*STATUSES), default=NEW)
    notes: Mapped[str | None] = field(Str(TEXT))
    """What staff remark; who proposed it never sees that."""
    accepted_at: Mapped[datetime | None] = field(Timestamp())
    action_id: Mapped[int | None] = mapped_column(
        ForeignKey(Action.id, ondelete="SET NULL"), index=True
    )
    """The action that it became, as long as there is one."""
    # Last, so that a row's other columns are read without walking through a long text.
    content: Mapped[str | None] = field(Html(ANONYMOUS_HTML), listed=False, sort_order=40)

    __table_args__ = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        # Who proposed it was told the id, so that of a deleted one must not be another's.
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )
