"""The notifications' table."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from masthead.auth.models import User
from masthead.db import UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class Notification(Base):
    """A message to one user."""

    __tablename__ = "core_notification"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"))
    type: Mapped[str]
    title: Mapped[str]
    message: Mapped[str]
    content_type: Mapped[str | None]
    content_id: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    read_at: Mapped[datetime | None] = mapped_column(UTCDateTime())

    @property
    def read(self) -> bool:
        """Whether the user has read it."""
        return self.read_at is not None

    __table_args__ = (
        Index(None, "user_id", "created_at", "id"),
        Index(
            "ix_core_notification_unread",
            "user_id",
            "created_at",
            "id",
            sqlite_where=read_at.is_(None),
            postgresql_where=read_at.is_(None),
        ),
        # For the notifications of a request that has ended.
        Index(
            "ix_core_notification_item",
            "content_type",
            "content_id",
            sqlite_where=read_at.is_(None),
            postgresql_where=read_at.is_(None),
        ),
        # For the retention job.
        Index(
            None,
            "read_at",
            sqlite_where=read_at.is_not(None),
            postgresql_where=read_at.is_not(None),
        ),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )
