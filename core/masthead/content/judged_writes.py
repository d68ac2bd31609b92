"""Whether a write of an item changes what the public sees: if it is, or was, published.

A published item counts even before its scheduled time, so that no clock decides. Changes of the
columns for staff don't count, so neither do staged edits.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, event, inspect
from sqlalchemy.orm import Mapper

from masthead.content.waiting import is_waiting
from masthead.db.changed_tables import begin_judging, end_judging, touch, touch_time
from masthead.db.of_transaction import change_of

FOR_STAFF = frozenset(
    {
        *("approval_status", "approval_requested_at", "approval_requested_by"),
        *("approved_at", "approved_by", "rejected_at", "rejected_by", "rejection_reason"),
        *("staged", "revision", "updated_at", "edited_by"),
        # Lists show the same with and without it, and what it is made of has columns of its own.
        "listed",
    }
)
"""The attributes of an item that no public answer shows."""


def judge_writes(model: Any) -> None:
    """Judge each write of an object of a model; other statements always count."""
    for name in ("before_insert", "before_update", "before_delete"):
        event.listen(model, name, _begin)
    event.listen(model, "after_insert", _judge_new)
    event.listen(model, "after_update", _judge_changed)
    event.listen(model, "after_delete", _judge_deleted)


def _begin(_mapper: Mapper[Any], connection: Connection, item: Any) -> None:
    begin_judging(connection, item.__tablename__)


def _judge_new(_mapper: Mapper[Any], connection: Connection, item: Any) -> None:
    _end(connection, item, counts=item.published)


def _judge_changed(_mapper: Mapper[Any], connection: Connection, item: Any) -> None:
    was_published = True in change_of(item, "published").non_added()
    # Setting an equal value is no change.
    counts = (item.published or was_published) and any(
        change_of(item, name).has_changes()
        for name in inspect(item).committed_state.keys() - FOR_STAFF
    )
    _end(connection, item, counts=counts)
    if is_waiting(item):
        touch_time(connection)


def _judge_deleted(_mapper: Mapper[Any], connection: Connection, item: Any) -> None:
    # It may have been changed before, but not written.
    _end(connection, item, counts=True in change_of(item, "published").sum())


def _end(connection: Connection, item: Any, *, counts: bool) -> None:
    end_judging(connection, item.__tablename__)
    if counts:
        touch(connection, item.__tablename__)
