"""Storing purges in the transaction that changes public answers, so that they commit with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy import event, insert
from sqlalchemy.orm import Session

from masthead import changed_cache_keys, instance_of, utcnow
from masthead_cdn.caches import caches_of
from masthead_cdn.models import Purge
from masthead_cdn.sender import Sender
from masthead_cdn.settings import REPEAT_AFTER


def store_changes(session: Session) -> None:
    """Store the purges of a transaction that is about to commit."""
    instance = instance_of(session)
    if caches_of(instance) and (keys := changed_cache_keys(session)):
        store(session, keys)


def store(session: Session, keys: Iterable[str]) -> None:
    """Store the purges of keys from all caches: one that is due at once, and one that repeats it.

    The purges begin when the transaction has committed.
    """
    instance, now = instance_of(session), utcnow()
    repeat = instance.settings[REPEAT_AFTER]
    joined = " ".join(sorted(keys))
    rows = [
        {"cache": cache.name, "keys": joined, "created_at": now, "due_at": now + wait}
        for cache in caches_of(instance)
        for wait in (timedelta(seconds=each) for each in sorted({0, repeat}))
    ]
    session.execute(insert(Purge), rows)
    sender = instance.shared(Sender)
    event.listen(session, "after_commit", lambda _session: sender.wake(), once=True)
