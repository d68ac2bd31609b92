"""Ids of new rows on SQLite, chosen before the rows are inserted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, text
from sqlalchemy.orm import Session

_LAST = text("SELECT seq FROM sqlite_sequence WHERE name = :name")


def last_id(session: Session, model: Any) -> int:
    """Return the greatest id that a row of a model has had; for SQLite.

    The writing transaction holds the write lock, so that the next ids are free.
    """
    used = session.scalar(_LAST, {"name": model.__table__.name}), session.scalar(func.max(model.id))
    return max(last or 0 for last in used)


def assign_ids(session: Session, model: Any, items: Sequence[Any]) -> None:
    """Give new objects of a model their ids, if they are many, where the database is SQLite.

    SQLAlchemy would insert each with a statement of its own, to learn its id.

    :param items: objects that the session doesn't have yet, because asking for the last id flushes
        those that it has.
    """
    if len(items) < 2 or session.get_bind().dialect.name != "sqlite":
        return
    # Other keys, and those of joined tables, aren't counted by SQLite.
    if model.__table__.dialect_options["sqlite"]["autoincrement"]:
        for number, item in enumerate(items, last_id(session, model) + 1):
            item.id = number
