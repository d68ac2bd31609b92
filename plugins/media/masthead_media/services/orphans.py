"""Orphaned bytes: record which keys may be orphaned, and sweep those a day later.

The bytes of an image are stored before its row is committed, and deleted after its row is deleted.
A failure in between orphans them. The sweep deletes recorded keys only: the storage may hold other
files too, such as the images of another instance.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from weakref import WeakKeyDictionary

from sqlalchemy import delete, event, func, insert, select
from sqlalchemy.orm import Session, SessionTransaction

from masthead import Instance, instance_of, utcnow
from masthead_media.keys import rendition_prefix
from masthead_media.models import Image, OrphanCandidate
from masthead_media.services import storage_of
from masthead_media.storage import Storage

_BATCH = 100
_GRACE_PERIOD = timedelta(days=1)
"""The age at which a candidate is swept: no upload takes so long to commit its row."""
_DELETED = "masthead.media.deleted"

logger = logging.getLogger(__name__)


def record_candidate(instance: Instance, key: str) -> None:
    """Record, in a transaction of its own, that the bytes of a key may be orphaned.

    Call it before storing the bytes, and before the first statement of the caller's transaction,
    because SQLite has one write lock.
    """
    with instance.database.transaction() as session:
        session.add(OrphanCandidate(key=key))


def record_candidates(session: Session, keys: Sequence[str]) -> None:
    """Record that the bytes of keys may be orphaned, as this transaction deletes their images."""
    if keys:
        remove_candidates(session, keys)
        session.execute(insert(OrphanCandidate), [{"key": key} for key in keys])


def remove_candidates(session: Session, keys: Sequence[str]) -> None:
    """Remove candidates whose images are stored, or whose bytes are deleted."""
    session.execute(delete(OrphanCandidate).where(OrphanCandidate.key.in_(keys)))


def delete_bytes_on_commit(session: Session, keys: Sequence[str]) -> None:
    """Delete the bytes of recorded keys once the current transaction has committed.

    A rollback, or a rollback to an enclosing savepoint, discards the request.
    """
    pending = session.info.setdefault(_DELETED, WeakKeyDictionary())
    pending.setdefault(_innermost(session), []).extend(keys)
    # Listening twice with the same function has no effect.
    event.listen(session, "after_commit", _after_commit)


def _after_commit(session: Session) -> None:
    # A transaction that is rolled back never gets here, and its entry is garbage collected.
    pending = session.info[_DELETED]
    transaction = _innermost(session)
    keys = pending.pop(transaction, [])
    if transaction.parent is not None:
        # The event comes for savepoints too, whose rows are committed with the outer transaction.
        pending.setdefault(transaction.parent, []).extend(keys)
    elif keys:
        try_to_delete_bytes(storage_of(instance_of(session)), keys)


def _innermost(session: Session) -> SessionTransaction:
    transaction = session.get_nested_transaction() or session.get_transaction()
    assert transaction is not None
    return transaction


def try_to_delete_bytes(storage: Storage, keys: Sequence[str]) -> None:
    """Delete the bytes of recorded keys, or leave them to the sweep if the storage fails."""
    try:
        delete_bytes(storage, keys)
    # Each storage raises exceptions of its own.
    except Exception:
        logger.exception("Could not delete the bytes of %s; will retry later", ", ".join(keys))


def delete_bytes(storage: Storage, keys: Sequence[str]) -> None:
    """Delete the bytes of keys and of their renditions."""
    for key in keys:
        renditions = [each for batch in storage.list(rendition_prefix(key)) for each in batch]
        storage.delete([key, *renditions])


def sweep(instance: Instance, may_go_on: Callable[[], bool]) -> bool:
    """Delete the orphaned bytes of a batch of candidates.

    A failure of the storage is raised; the candidates that are left stay for the next run.

    :returns: whether there may be more.
    """
    storage, keys, swept = storage_of(instance), _due(instance), list[str]()
    try:
        for key in keys:
            if not may_go_on():
                break
            delete_bytes(storage, [key])
            storage.delete_partial_files(key)
            storage.delete_partial_files(f"{rendition_prefix(key)}/*")
            swept.append(key)
    finally:
        if swept:
            with instance.database.transaction() as session:
                remove_candidates(session, swept)
    return len(keys) == _BATCH


def _due(instance: Instance) -> list[str]:
    due = select(OrphanCandidate.key).where(
        OrphanCandidate.since < utcnow() - _GRACE_PERIOD,
        ~select(Image.id).where(Image.key == OrphanCandidate.key).exists(),
    )
    # In random order, so that a key which the storage can't delete doesn't block the others.
    with instance.database.read() as connection:
        return list(connection.scalars(due.order_by(func.random()).limit(_BATCH)))
