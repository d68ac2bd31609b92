"""The table of the users who have items open."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.db import KEY, UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED

if TYPE_CHECKING:
    from masthead.auth.models import User


class Presence(Base):
    """A user who has an item open, until the last sign of life is too old."""

    __tablename__ = "core_presence"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the content type or resource."""
    item: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The id of the item as text."""
    user_id: Mapped[int] = mapped_column(
        ForeignKey("core_user.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    since: Mapped[datetime] = mapped_column(UTCDateTime())
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    """The time of the last sign of life."""
    editing: Mapped[bool]

    user: Mapped[User] = relationship("User")
