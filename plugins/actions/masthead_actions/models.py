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

    icon: Mapped[str | None] = field(
        ClassNames(), help="The name of an icon of the website.", example="droplet"
    )
    gradient_class: Mapped[str | None] = field(
        ClassNames(), help="The CSS classes of the background.", example="from-sky-500 to-teal-500"
    )
    accent_class: Mapped[str | None] = field(
        ClassNames(), help="The CSS classes of the accents.", example="text-sky-700"
    )
    link: Mapped[str | None] = field(Url(), help="The address where visitors can act.")
    cover_image_url: Mapped[str | None] = field(
        Url(),
        help="The address of the image above it.",
        example="/api/images/images/1772357400000-3f9a.webp",
    )
    display_order: Mapped[int] = field(
        Int(),
        staged=False,
        default=0,
        help="Its place in lists, which begin with the smallest number.",
    )


class Proposal(ResourceItem, Base):
    """An action that a visitor proposes; only staff can read it."""

    __tablename__ = "actions_proposal"

    title: Mapped[str] = field(
        Line(),
        required=True,
        help="The title that the visitor suggests.",
        example="A café for repairs",
    )
    description: Mapped[str] = field(
        Str(MAX_TEXT),
        required=True,
        help="The idea in a few sentences.",
        example="Once a month, in the library.",
    )
    image_urls: Mapped[list[Any]] = field(
        ListOf(Url(mailto=False), max_length=MAX_IMAGES),
        default=list,
        help="The addresses of images about it.",
        example=["/api/images/submissions/1772357400000-3f9a.webp"],
    )
    contact_name: Mapped[str] = field(
        Line(), required=True, help="The name of the visitor.", example="Ada Lovelace"
    )
    contact_email: Mapped[str] = field(Email(), required=True, help="The address of the visitor.")
    contact_phone: Mapped[str | None] = field(
        Line(), help="The telephone number of the visitor.", example="+44 20 7946 0018"
    )
    status: Mapped[str] = field(Choice(*STATUSES), default=NEW, help="The state of the work on it.")
    notes: Mapped[str | None] = field(
        Str(MAX_TEXT), help="Remarks of staff, which the visitor can't read."
    )
    accepted_at: Mapped[datetime | None] = field(
        Timestamp(), help="The time at which it became an action."
    )
    action_id: Mapped[int | None] = mapped_column(
        ForeignKey(Action.id, ondelete="SET NULL"), index=True
    )
    """The action that was created from it; None before, and once that is deleted."""
    # Last, so that the database reads the other columns without scanning a long text.
    content: Mapped[str | None] = field(
        Html(MAX_HTML), listed=False, sort_order=40, help="The whole text, as HTML."
    )

    __table_args__ = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        # The visitor knows the id, so the id of a deleted proposal must not be used again.
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )
