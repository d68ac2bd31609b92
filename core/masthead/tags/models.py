"""The tags' table."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column, validates

from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.schemas.stored import SLUG, checked_as
from masthead.unicode.ordering import sort_key


class Tag(Base):
    """A keyword of content, by which visitors filter it."""

    __tablename__ = "core_tag"
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    """The name in the form that is compared."""
    sort_key: Mapped[str] = mapped_column(KEY, server_default="", index=True)
    """The name in the form that lists are ordered by."""
    slug: Mapped[str] = mapped_column(KEY, unique=True, info=checked_as(SLUG))
    revision: Mapped[int] = mapped_column(Integer(), default=1, server_default="1")
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)

    @validates("name")
    def _set_sort_key(self, _attribute: str, name: str) -> str:
        self.sort_key = sort_key(name)
        return name


class FormerTagSlug(Base):
    """A former slug of a renamed tag, which leads to the tag until another tag gets it."""

    __tablename__ = "core_tag_former_slug"

    slug: Mapped[str] = mapped_column(KEY, primary_key=True)
    tag_id: Mapped[int] = mapped_column(ForeignKey(Tag.id, ondelete="CASCADE"), index=True)
