"""The images' tables: what there is, and what may be left over. The bytes lie in the storage."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import ID, KEY, NOT_EXPORTED, PRIVATE, User, UTCDateTime, plugin_metadata, utcnow
from masthead_media.keys import path_of


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("media")


class Image(Base):
    """An image that somebody uploaded."""

    __tablename__ = "media_image"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    key: Mapped[str] = mapped_column(KEY, unique=True)
    sha256: Mapped[str] = mapped_column(KEY)
    """Of the bytes as they were sent, in hexadecimal."""
    submitted: Mapped[bool]
    """Whether a visitor uploaded it, and not staff."""
    media_type: Mapped[str] = mapped_column(KEY)
    size: Mapped[int]
    """In bytes, as stored."""
    width: Mapped[int]
    """In pixels, as shown."""
    height: Mapped[int]
    alt_text: Mapped[str | None] = mapped_column(Text())
    uploaded_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    uploaded_by: Mapped[int | None] = mapped_column(ForeignKey(User.id), index=True)
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When it was last found out that something names an image of a visitor."""

    __table_args__ = (Index(None, "uploaded_at", "id"), {"sqlite_autoincrement": True})

    @property
    def url(self) -> str:
        """Where the API serves it."""
        return path_of(self.key)

    @property
    def filename(self) -> str:
        """The key without what it begins with."""
        return self.key.rpartition("/")[2]


Index(
    "ix_media_image_duplicates",
    Image.sha256,
    unique=True,
    sqlite_where=text("submitted = 0"),
    postgresql_where=text("NOT submitted"),
)
Index("ix_media_image_submitted", Image.submitted, Image.uploaded_at)


class Leftover(Base):
    """A key of this database's under which bytes may lie that no image needs."""

    __tablename__ = "media_leftover"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    key: Mapped[str] = mapped_column(KEY, primary_key=True)
    since: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
