"""The table of preview links."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.db import ID, KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED

if TYPE_CHECKING:
    from masthead.auth.models import User


class Preview(Base):
    """A link to the preview of an item; without the row, its token opens nothing."""

    __tablename__ = "core_preview"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(KEY, unique=True)
    """The SHA-256 digest of the token, so that a copy of the database opens no preview."""
    kind: Mapped[str] = mapped_column(KEY)
    """The name of the content type or resource."""
    item: Mapped[str] = mapped_column(KEY)
    """The id of the item as text."""
    user_id: Mapped[int] = mapped_column(ForeignKey("core_user.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    expires_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    once: Mapped[bool]
    """Whether it opens the preview a single time."""
    revision: Mapped[int | None] = mapped_column(ID)
    """The only revision of the item that it shows; None if it shows later ones, too."""
    note: Mapped[str | None]

    user: Mapped[User] = relationship("User")

    __table_args__ = (
        Index(None, "kind", "item"),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )
