"""The table about the last backup."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class BackupState(Base):
    """The one row about the last backup; a database without it was restored from a backup."""

    __tablename__ = "core_backup"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    made_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last backup; None if there was none."""
    size: Mapped[int | None]
    """The number of bytes of its file."""


STATE_ID = 1
"""The id of the row."""
