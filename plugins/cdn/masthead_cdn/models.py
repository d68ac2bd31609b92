"""The tables of waiting purges and of the caches that are purged.

No public answer depends on them, and another instance must not purge the same caches.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import ID, KEY, NOT_EXPORTED, PRIVATE, UTCDateTime, plugin_metadata


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("cdn")


class Purge(Base):
    """The keys that a transaction has changed, to be purged from one cache."""

    __tablename__ = "cdn_purge"
    __table_args__: Any = (Index(None, "cache", "due_at"), {"info": PRIVATE | NOT_EXPORTED})

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    cache: Mapped[str] = mapped_column(KEY)
    keys: Mapped[str] = mapped_column(Text())
    """The keys, separated by blanks."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime())
    due_at: Mapped[datetime] = mapped_column(UTCDateTime())


class CacheState(Base):
    """The state of one cache: its last failure, and the lease of the process that purges it."""

    __tablename__ = "cdn_cache"
    __table_args__: Any = {"info": PRIVATE | NOT_EXPORTED}

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    lease_until: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time until which one process purges it, or nobody does after a failure."""
    failures: Mapped[int] = mapped_column(default=0)
    """The number of failures since the last success."""
    failing_since: Mapped[datetime | None] = mapped_column(UTCDateTime())
    error: Mapped[str | None] = mapped_column(Text())
    """The reason of the last failure."""
    purged_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last success."""
