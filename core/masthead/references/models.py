"""The table of references, derived from the fields of the items that refer to others."""

from __future__ import annotations

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import ID, KEY
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class ItemReference(Base):
    """A reference of an item to another one, as the public or staff see it.

    The rows of a disabled plugin stay, so that its references still count. The table is private
    although filters of public lists read it: a row changes only with the row of its item.
    """

    __tablename__ = "core_reference"

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the content type or resource of the referring item."""
    item_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    field: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The field of the referring item, by its wire name."""
    target_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    target: Mapped[str] = mapped_column(KEY)
    """The name of the content type or resource of the other item."""
    live: Mapped[bool]
    """Whether the live value has it."""
    shown: Mapped[bool]
    """Whether the value that staff see has it: the staged one, if there is one."""

    __table_args__ = (
        Index(None, "target", "target_id", "kind", "field"),
        {"info": PRIVATE | NOT_EXPORTED},
    )
