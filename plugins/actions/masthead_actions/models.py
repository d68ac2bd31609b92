"""The tables of actions, and of visitors' proposals."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    PRIVATE,
    Choice,
    ClassNames,
    ContentItem,
    Email,
    Html,
    Int,
    Line,
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
MAX_TEXT = 2_000
"""The maximum number of characters of a proposal's description and notes."""
MAX_HTML = 64 * 1024
"""The maximum number of bytes of HTML in a proposal."""
MAX_IMAGES = 20


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("actions")


class Action(ContentItem, Base):
    """A call to action, such as a campaign or a project."""

    __tablename__ = "actions_action"

    icon: Mapped[str | None] = field(ClassNames())
    gradient_class: Mapped[str | None] = field(ClassNames())
    accent_class: Mapped[str | None] = field(ClassNames())
    link: Mapped[str | None] = field(Url())
    cover_image_url: Mapped[str | None] = field(Url())
    display_order: Mapped[int] = field(Int(), staged=False, default=0)


class Proposal(ResourceItem, Base):
    """An action that a visitor proposes; only staff can read it."""

    __tablename__ = "actions_proposal"

    title: Mapped[str] = field(Line(), required=True)
    description: Mapped[str] = field(Str(MAX_TEXT), required=True)
    image_urls: Mapped[list[Any]] = field(
        ListOf(Url(mailto=False), max_length=MAX_IMAGES), default=list
    )
    contact_name: Mapped[str] = field(Line(), required=True)
    contact_email: Mapped[str] = field(Email(), required=True)
    contact_phone: Mapped[str | None] = field(Line())
    status: Mapped[str] = field(Choice(*STATUSES), default=NEW)
    notes: Mapped[str | None] = field(Str(MAX_TEXT))
    """Remarks of staff; the visitor can't read them."""
    accepted_at: Mapped[datetime | None] = field(Timestamp())
    action_id: Mapped[int | None] = mapped_column(
        ForeignKey(Action.id, ondelete="SET NULL"), index=True
    )
    """The action that was created from it; None before, and once that is deleted."""
    # Last, so that the database reads the other columns without scanning a long text.
    content: Mapped[str | None] = field(Html(MAX_HTML), listed=False, sort_order=40)

    __table_args__ = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        # The visitor knows the id, so the id of a deleted proposal must not be used again.
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )
