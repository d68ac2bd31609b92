"""The columns that the models of resources share."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import ID, KEY, UTCDateTime, utcnow


class _KeptItem:
    """A mixin with the columns of every resource's model except its id."""

    revision: Mapped[int] = mapped_column(Integer(), default=1, sort_order=20)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=21)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=22)


class ResourceItem(_KeptItem):
    """A mixin with the columns of a resource whose ids are numbers."""

    __kit__ = "resource"
    # SQLite would reuse the id of a deleted item, which a client may still hold.
    __table_args__: Any = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True, sort_order=-20)


class NamedItem(_KeptItem):
    """A mixin with the columns of a resource whose ids staff choose, such as ``logo``."""

    __kit__ = "named"

    id: Mapped[str] = mapped_column(KEY, primary_key=True, sort_order=-20)
