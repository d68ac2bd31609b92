"""Bytes that no image needs: remembered before they can be left over, swept a day later.

An image's bytes are stored before its row is committed and deleted after that is gone, so whatever
happens in between can leave some over. The database remembers which: what else lies in the storage,
another instance's images for example, is nothing that it knows of.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead_media.keys import renditions_of
from masthead_media.models import Image, Leftover
from masthead_media.services import storage_of
from masthead_media.storage import Storage

_PORTION = 100
_IN_FLIGHT = timedelta(days=1)
"""How long a key is remembered at least: by then nobody can be about to write its image's row."""

logger = logging.getLogger(__name__)


def remember(instance: Instance, key: str) -> None:
    """Write down that bytes may be left under a key, in a transaction of its own.

    It comes before the bytes are stored, and before the transaction of who stores them has asked
    anything: SQLite has one write lock.
    """
    with instance.database.transaction() as session:
        session.add(Leftover(key=key))


def remember_again(session: Session, keys: Sequence[str]) -> None:
    """Write down that bytes may be left under keys, as their images go in this transaction."""
    if keys:
        forget(session, keys)
        session.execute(insert(Leftover), [{"key": key} for key in keys])


def forget(session: Session, keys: Sequence[str]) -> None:
    """Let keys be no leftovers any more: there are images, or the bytes are gone."""
    session.execute(delete(Leftover).where(Leftover.key.in_(keys)))


def discard(storage: Storage, keys: Sequence[str]) -> None:
    """Delete what is stored under keys that are remembered; what the storage refuses is swept."""
    try:
        delete_stored(storage, keys)
    # Each storage has errors of its own.
    except Exception:
        logger.exception("The bytes of %s can't be deleted now", ", ".join(keys))


def delete_stored(storage: Storage, keys: Sequence[str]) -> None:
    """Delete what is stored under keys, and the renditions of it."""
    for key in keys:
        below = [found for portion in storage.list(renditions_of(key)) for found in portion]
        storage.delete([key, *below])


def sweep(instance: Instance, may_go_on: Callable[[], bool]) -> bool:
    """Delete a portion of what uploads and deletes have left over a day ago.

    What the storage refuses, it raises; that and the rest stay for the next time.

    :returns: whether there may be more.
    """
    storage, keys, gone = storage_of(instance), _due(instance), list[str]()
    try:
        for key in keys:
            if not may_go_on():
                break
            delete_stored(storage, [key])
            storage.delete_torn(key)
            storage.delete_torn(f"{renditions_of(key)}/*")
            gone.append(key)
    finally:
        if gone:
            with instance.database.transaction() as session:
                forget(session, gone)
    return len(keys) == _PORTION


def _due(instance: Instance) -> list[str]:
    due = select(Leftover.key).where(
        Leftover.since < utcnow() - _IN_FLIGHT,
        ~select(Image.id).where(Image.key == Leftover.key).exists(),
    )
    # In any order, so that one which the storage refuses doesn't keep the others.
    with instance.database.read() as connection:
        return list(connection.scalars(due.order_by(func.random()).limit(_PORTION)))
