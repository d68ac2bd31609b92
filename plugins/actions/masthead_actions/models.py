"""The tables of actions, and of what outsiders propose as one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ID,
    KEY,
    PRIVATE,
    ContentItem,
    Int,
    Str,
    Url,
    UTCDateTime,
    field,
    plugin_metadata,
    utcnow,
)

NEW, REVIEWED, REJECTED, ACCEPTED = "new", "reviewed", "rejected", "accepted"
STATUSES = (NEW, REVIEWED, REJECTED, ACCEPTED)


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


class Proposal(Base):
    """An action that somebody from outside proposes; only staff ever see it."""

    __tablename__ = "actions_proposal"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    title: Mapped[str]
    description: Mapped[str]
    image_urls: Mapped[list[Any]] = mapped_column(JSON)
    contact_name: Mapped[str]
    contact_email: Mapped[str]
    contact_phone: Mapped[str | None]
    status: Mapped[str] = mapped_column(KEY, default=NEW)
    notes: Mapped[str | None]
    """What staff remark; the sender never sees it."""
    action_id: Mapped[int | None] = mapped_column(
        ForeignKey(Action.id, ondelete="SET NULL"), index=True
    )
    """The action that it became, as long as there is one."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    # Last, so that a row's other columns are read without walking through a long text.
    content: Mapped[str | None] = mapped_column(Text())

    __table_args__ = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        # The sender was told the id, so that of a deleted one must not be another's.
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )
