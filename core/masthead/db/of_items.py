"""Rows that core keeps about items of any kind, which are deleted with the items."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete
from sqlalchemy.orm import Session

from masthead.db.base import Base

_KEY = "of_items"
OF_ITEMS = {_KEY: True}
"""The ``info`` of a table of core whose columns ``kind`` and ``item`` name an item: the name of its
content type or resource, and its id as text. Combine it as in ``PRIVATE | OF_ITEMS``."""


def forget_rows_of(session: Session, kind: str, ids: Collection[int | str]) -> None:
    """Delete the rows of all these tables about deleted items."""
    items = [str(each) for each in ids]
    # Those that refer to others of them first.
    for table in reversed(Base.metadata.sorted_tables):
        if table.info.get(_KEY):
            session.execute(delete(table).where(table.c.kind == kind, table.c.item.in_(items)))
