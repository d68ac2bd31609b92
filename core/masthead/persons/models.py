"""The table of the addresses that items had."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import ID, KEY, UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE


class KnownAddress(Base):
    """An address that an item about a person has or had.

    An item whose address has never changed has no rows.
    """

    __tablename__ = "core_known_address"
    __table_args__ = {"info": PRIVATE}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the resource, or ``users``."""
    item_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    address_key: Mapped[str] = mapped_column(KEY, primary_key=True, index=True)
    """The address in the form that is compared."""
    address: Mapped[str]
    since: Mapped[datetime] = mapped_column(UTCDateTime())
    """When the item got the address."""
    until: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When the item got another one; None for the current address and for those that an item got
    by a merge."""
