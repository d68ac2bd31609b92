"""The tables of the change log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED

THE_LOG = 1
"""The id of the row of ``ChangeLog``."""


class ChangeLog(Base):
    """The one row that numbers the changes.

    A transaction locks it from the moment at which it numbers its changes until it has committed.
    So the order of the numbers is the order of the commits, and who reads a number has seen all
    lower ones.
    """

    __tablename__ = "core_change_log"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[str] = mapped_column(Text())
    """A random token in all cursors; another one means that numbers of before count no longer."""
    last: Mapped[int]
    """The last number."""
    public_epoch: Mapped[str] = mapped_column(Text())
    """The token in the cursors of the public."""
    last_public: Mapped[int]
    """The last number among the public changes."""
    until: Mapped[datetime] = mapped_column(UTCDateTime())
    """Items that appeared or vanished by the passing of time are in the log up to this time."""


class Change(Base):
    """One change of one item; several changes of an item in one transaction are one."""

    __tablename__ = "core_change"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time of the commit, or the time at which an item appeared or vanished by itself."""
    recorded_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    change: Mapped[str] = mapped_column(Text())
    """The change that staff see: ``created``, ``changed`` or ``deleted``."""
    public_change: Mapped[str | None] = mapped_column(Text())
    """The change that the public sees: ``published``, ``changed``, ``moved`` or ``withdrawn``."""
    public_number: Mapped[int | None] = mapped_column(index=True)
    """Its number among the public changes; gaps in ``number`` would count the hidden ones."""
    content_type: Mapped[str] = mapped_column(Text())
    item_id: Mapped[int]
    slug: Mapped[str | None] = mapped_column(Text())
    former_slug: Mapped[str | None] = mapped_column(Text())

    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}
