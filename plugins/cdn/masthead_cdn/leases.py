"""The leases of caches, and the results of purges."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Delete, Update, func, update

from masthead import Backoff, Counter, Instance, UTCDateTime, insert_into, utcnow
from masthead_cdn.models import CacheState

if TYPE_CHECKING:
    from masthead_cdn.calling import PurgeError

_LEASE = timedelta(minutes=1)
_RETRY = Backoff(first=timedelta(seconds=1), longest=timedelta(minutes=10))
_PURGES = Counter(
    "masthead_cdn_purges",
    "Purges of caches in front of Masthead; a purge of many keys may need several calls.",
    ("cache", "result"),
)


class Lease(NamedTuple):
    """The right of this process to purge a cache."""

    cache: str
    until: datetime
    failures: int
    """The number of failures since the last success."""


def take_lease(instance: Instance, cache: str) -> Lease | None:
    """Take the lease of a cache; None while another process has it, or soon after a failure."""
    now = utcnow()
    lease = now + _LEASE
    row = {"name": cache, "lease_until": now, "failures": 0}
    with instance.database.transaction() as session:
        session.execute(insert_into(session, CacheState).values(row).on_conflict_do_nothing())
        free = update(CacheState).where(CacheState.name == cache, CacheState.lease_until <= now)
        taken = free.values(lease_until=lease).returning(CacheState.failures)
        failures = session.execute(taken).scalar_one_or_none()
    return None if failures is None else Lease(cache, lease, failures)


def note_success(instance: Instance, lease: Lease, done: Delete) -> None:
    """Store that a purge has succeeded, and end the lease.

    :param done: deletes the purges.
    """
    now = utcnow()
    _PURGES.add(lease.cache, "done")
    with instance.database.transaction() as session:
        session.execute(done.execution_options(synchronize_session=False))
        well = {"failures": 0, "failing_since": None, "error": None, "purged_at": now}
        session.execute(_mine(lease).values(lease_until=now, **well))


def note_failure(instance: Instance, lease: Lease, error: PurgeError) -> None:
    """Store that a purge has failed, and the time before which nobody tries again."""
    now, failures = utcnow(), lease.failures + 1
    _PURGES.add(lease.cache, "failed")
    with instance.database.transaction() as session:
        since = func.coalesce(CacheState.failing_since, now, type_=UTCDateTime())
        session.execute(
            _mine(lease).values(
                lease_until=now + _RETRY.delay_asked(failures, error.retry_after, now),
                failures=failures,
                failing_since=since,
                error=str(error),
            )
        )


def _mine(lease: Lease) -> Update:
    return (
        update(CacheState)
        .where(CacheState.name == lease.cache, CacheState.lease_until == lease.until)
        .execution_options(synchronize_session=False)
    )
