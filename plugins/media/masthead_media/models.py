"""The tables: images, usage by visitors, keys that may be orphaned. The storage has the bytes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ID,
    KEY,
    NOT_EXPORTED,
    PRIVATE,
    PRIVATE_NEW,
    User,
    UTCDateTime,
    checked_as,
    plugin_metadata,
    utcnow,
)
from masthead_media.keys import KEY_TYPE, image_path


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("media")


class Image(Base):
    """An image that was uploaded by staff or by a visitor."""

    __tablename__ = "media_image"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    key: Mapped[str] = mapped_column(KEY, unique=True, info=checked_as(KEY_TYPE))
    sha256: Mapped[str] = mapped_column(KEY)
    """The hash of the bytes as uploaded, in hexadecimal."""
    submitted: Mapped[bool]
    """Whether a visitor uploaded it, and not staff."""
    media_type: Mapped[str] = mapped_column(KEY)
    size: Mapped[int]
    """The number of bytes as stored."""
    width: Mapped[int]
    """In pixels, after its orientation is applied."""
    height: Mapped[int]
    """In pixels, after its orientation is applied."""
    alt_text: Mapped[str | None] = mapped_column(Text())
    revision: Mapped[int] = mapped_column(default=1, server_default="1")
    uploaded_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    uploaded_by: Mapped[int | None] = mapped_column(ForeignKey(User.id), index=True)
    original_name: Mapped[str | None] = mapped_column(Text())
    """The name of the file that staff uploaded; None if it is unknown."""
    search_text: Mapped[str | None] = mapped_column(Text())
    """The names and the alternative text, folded; None for an image of an older release."""
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When the worker last looked for uses of an image that a visitor uploaded."""

    __table_args__ = (
        Index(None, "uploaded_at", "id"),
        # Its key is random, so no public answer refers to it before.
        {"sqlite_autoincrement": True, "info": PRIVATE_NEW},
    )

    @property
    def url(self) -> str:
        """The path at which the API serves it."""
        return image_path(self.key)

    @property
    def filename(self) -> str:
        """The key without its prefix."""
        return self.key.rpartition("/")[2]


Index(
    "ix_media_image_duplicates",
    Image.sha256,
    unique=True,
    sqlite_where=text("submitted = 0"),
    postgresql_where=text("NOT submitted"),
)
Index("ix_media_image_submitted", Image.submitted, Image.uploaded_at)


class VisitorUsage(Base):
    """The uploads and renditions of a visitor in one hour, for the quotas of 24 hours."""

    __tablename__ = "media_usage"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    visitor: Mapped[str] = mapped_column(KEY, primary_key=True)
    """A hash of the network of the visitor's address."""
    hour: Mapped[datetime] = mapped_column(UTCDateTime(), primary_key=True, index=True)
    files: Mapped[int]
    """The number of uploads, including refused ones."""
    size: Mapped[int] = mapped_column(BigInteger())
    """The number of bytes as uploaded."""
    milliseconds: Mapped[int] = mapped_column(BigInteger())
    """The CPU time of decoding uploads."""
    scaling_milliseconds: Mapped[int] = mapped_column(BigInteger(), server_default="0")
    """The CPU time of making renditions."""


class OrphanCandidate(Base):
    """A key of this instance under which bytes without an image may be stored."""

    __tablename__ = "media_leftover"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    key: Mapped[str] = mapped_column(KEY, primary_key=True)
    since: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
