"""Callbacks: functions of a content type or resource that are called when its items change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session, object_session

from masthead.auth.caller import Caller
from masthead.db.of_transaction import of_transaction
from masthead.instance import Instance, instance_of

_NOTED = "masthead.after_commit"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ItemSave:
    """The values of an item that is about to be created or changed."""

    item: Any
    """The stored item, which the callback must not change; None for a new one."""
    before: Mapping[str, Any] | None
    """All fields by wire name, before the change; None for a new item. An item of content has the
    values that staff see, unless the edit is one of the live copy."""
    after: Mapping[str, Any]
    """All fields by wire name, after the change."""
    caller: Caller | None
    """The user who saves; None for a command or a job."""


AfterCommit = Callable[[Instance, Sequence[Any]], None]


def _allow(_session: Session, _save: ItemSave) -> None:
    """Allow every change."""


def _allow_delete(_session: Session, _items: Sequence[Any]) -> None:
    """Allow every delete."""


def _ignore(_session: Session, _ids: Sequence[Any]) -> None:
    """Ignore deletes."""


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """The callbacks that content types and resources have in common."""

    before_change: Callable[[Session, ItemSave], None] = _allow
    """Raise ``Invalid`` for values that an item must not have, such as two that contradict each
    other, or ``Refused`` for an item that must not change. It is called before an item is created
    or changed, also by a restore of a revision and by imports; by a resource also for an update
    that changes nothing. It may read and change rows of other tables; for the rows of a CSV file
    the session only reads."""
    before_delete: Callable[[Session, Sequence[Any]], None] = _allow_delete
    """Raise ``Refused`` for items that must not be deleted; gets the items, in the transaction that
    would delete them. The erasure of a person doesn't ask."""
    deleted: Callable[[Session, Sequence[Any]], None] = _ignore
    """React to items that were deleted, also with a person's data, or moved to the trash; gets
    their ids, in the transaction that deletes them."""
    after_commit: AfterCommit | None = None
    """React to items that a transaction has created, changed or deleted, after its commit; gets
    their ids. An exception is logged and changes nothing for the client. It isn't called if the
    process ends before; for an effect that must be certain, add a row for a ``Job``."""


def note_after_commit(session: Session, kind: Any, ids: Sequence[Any]) -> None:
    """Note items for the ``after_commit`` of their content type or resource."""
    if kind.after_commit is None:
        return
    noted: _Noted = of_transaction(session, _NOTED, dict)
    noted.setdefault(kind.name, (kind.after_commit, set()))[1].update(ids)


_Noted = dict[str, tuple[AfterCommit, set[Any]]]


def watch_commits(kind: Any) -> None:
    """Note each write of an item of a kind that has ``after_commit``."""

    def note(_mapper: Any, _connection: Any, item: Any) -> None:
        session = object_session(item)
        if session is not None:
            note_after_commit(session, kind, [item.id])

    if kind.after_commit is not None:
        for name in ("after_insert", "after_update", "after_delete"):
            event.listen(kind.model, name, note)


@event.listens_for(Session, "after_commit")
def _call_after_commit(session: Session) -> None:
    if session.in_nested_transaction() or _NOTED not in session.info:
        return
    noted: _Noted = of_transaction(session, _NOTED, dict)
    del session.info[_NOTED]
    for name, (callback, ids) in noted.items():
        try:
            callback(instance_of(session), sorted(ids))
        # It is code of a plugin, and the transaction is committed.
        except Exception:
            logger.exception("after_commit of %s failed", name)
