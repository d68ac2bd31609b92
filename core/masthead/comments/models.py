"""The table of comments."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, Integer
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.auth.models import User
from masthead.db import ID, KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.of_items import OF_ITEMS
from masthead.schemas.field_types import Int
from masthead.schemas.schema import ListOf
from masthead.schemas.stored import checked_as


class Comment(Base):
    """A comment of a user beside an item."""

    __tablename__ = "core_comment"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(KEY)
    """The name of the content type."""
    item: Mapped[str] = mapped_column(KEY)
    """The id of the item as text."""
    author_id: Mapped[int] = mapped_column(ForeignKey(User.id), index=True)
    text: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    edited_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last change of the text."""
    resolved_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    resolved_by_id: Mapped[int | None] = mapped_column(ForeignKey(User.id), index=True)
    mentioned: Mapped[list[int]] = mapped_column(JSON, info=checked_as(ListOf(Int())))
    """The ids of the users who were notified, because the text mentions them."""
    revision: Mapped[int] = mapped_column(Integer(), default=1)

    author: Mapped[User] = relationship(User, foreign_keys=author_id)
    resolved_by: Mapped[User | None] = relationship(User, foreign_keys=resolved_by_id)

    __table_args__ = (
        Index(None, "kind", "item", "id"),
        {"sqlite_autoincrement": True, "info": PRIVATE | OF_ITEMS},
    )
