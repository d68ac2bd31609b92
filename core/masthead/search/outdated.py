"""The list of items to index again: after a change of the index's form, or of a tag's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from masthead.search.models import OutdatedItem

_TABLE = OutdatedItem.__table__


def mark_outdated(connection: Connection, content_type: str, ids: Select[int]) -> None:
    """Mark items, given a statement that selects their ids."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    chosen = ids.subquery()
    # SQLite would take ON of ON CONFLICT for the condition of a join without WHERE.
    rows = select(literal(content_type), chosen.c[0]).where(chosen.c[0].is_not(None))
    marked = dialect.insert(_TABLE).from_select(["content_type", "item_id"], rows)
    connection.execute(marked.on_conflict_do_nothing())


def outdated_ids(session: Session, content_type: str, limit: int) -> Sequence[int]:
    """Return the first ids of a content type's or resource's marked items."""
    marked = select(OutdatedItem.item_id).where(OutdatedItem.content_type == content_type)
    return session.scalars(marked.order_by(OutdatedItem.item_id).limit(limit)).all()


def unmark(session: Session, content_type: str, ids: Iterable[int]) -> None:
    """Remove the marks of items that are indexed."""
    chosen = OutdatedItem.item_id.in_(list(ids))
    session.execute(delete(OutdatedItem).where(OutdatedItem.content_type == content_type, chosen))
