"""The tags' table."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.schemas.stored import SLUG, checked_as


class Tag(Base):
    """A keyword of content, by which visitors filter it."""

    __tablename__ = "core_tag"
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    slug: Mapped[str] = mapped_column(KEY, unique=True, info=checked_as(SLUG))
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
