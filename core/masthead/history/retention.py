"""Deleting revisions that are too many or too old."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from masthead.db import utcnow
from masthead.history.models import Approved, Revision
from masthead.history.settings import DAYS, KEEP
from masthead.history.values import Key, forget_unused
from masthead.instance import Instance

_ITEMS = 20
"""The number of items per transaction; on SQLite, other writers wait for its end."""


def delete_old(instance: Instance, may_continue: Callable[[], bool]) -> bool:
    """Delete the revisions of some items that are more or older than the settings allow.

    :returns: whether there may be more.
    """
    keep, days = instance.settings[KEEP], instance.settings[DAYS]
    if not keep and not days:
        return False
    condition = is_old(keep, days)
    with instance.database.read() as connection:
        found = _items(connection, condition)
    for key in found:
        if not may_continue():
            return True
        with instance.database.transaction() as session:
            delete_of_item(session, key, condition)
    return len(found) == _ITEMS


def _items(connection: Connection, condition: ColumnElement[bool]) -> list[Key]:
    rows = select(Revision.kind, Revision.item).where(condition).distinct().limit(_ITEMS)
    return [Key(kind, item) for kind, item in connection.execute(rows)]


def delete_of_item(session: Session, key: Key, condition: ColumnElement[bool]) -> None:
    """Delete the revisions of an item that meet a condition, and the values that nothing needs."""
    mine = (Revision.kind == key.kind, Revision.item == key.item)
    old = delete(Revision).where(*mine, condition)
    session.execute(old.execution_options(synchronize_session=False))
    forget_unused(session, key)


def is_old(keep: int, days: int) -> ColumnElement[bool]:
    """Return the condition of the revisions to delete.

    :param keep: the number of revisions of an item that are kept; 0 keeps all.
    :param days: the number of days for which revisions are kept; 0 keeps all.
    """
    later: Any = aliased(Revision)
    same = (later.kind == Revision.kind, later.item == Revision.item)
    limits = []
    if days:
        limits.append(Revision.at < utcnow() - timedelta(days=days))
    if keep:
        newest = select(func.max(later.number)).where(*same).scalar_subquery()
        limits.append(Revision.number <= newest - keep)
    return and_(or_(*limits), _is_free())


def _is_free() -> ColumnElement[bool]:
    """Return the condition that a revision is not live, staged or approved."""
    newer: Any = aliased(Revision)
    has_newer = exists().where(
        newer.kind == Revision.kind,
        newer.item == Revision.item,
        newer.copy == Revision.copy,
        newer.number > Revision.number,
    )
    is_approved = exists().where(
        Approved.kind == Revision.kind,
        Approved.item == Revision.item,
        or_(Approved.number == Revision.number, Approved.next_number == Revision.number),
    )
    return and_(has_newer, Revision.approved_at.is_(None), ~is_approved)
