"""The checks and gauges of purges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from sqlalchemy import Connection, func, select

from masthead import Check, Instance, Reading, utcnow
from masthead_cdn.caches import Cache, caches_of
from masthead_cdn.models import CacheState, Purge
from masthead_cdn.settings import (
    CLOUDFLARE_TOKEN,
    CLOUDFLARE_ZONE,
    FASTLY_SERVICE,
    FASTLY_TOKEN,
)

_PROBE = "masthead-check"
"""A key that no answer has."""
_KEY_HEADERS = "masthead.cache.key_headers"
_LATE = timedelta(minutes=1)
_REMEDY = (
    "correct the settings masthead.cdn.*; masthead cdn check tries them, and masthead cdn purge"
    " --all removes outdated answers"
)


def checks() -> list[Check | Reading]:
    """Return the checks and gauges."""
    return [
        Check("cdn.settings", settings_trouble, start=True),
        Check(
            "cdn.keys",
            keys_trouble,
            readiness=False,
            remedy=f"add the header to {_KEY_HEADERS}, then masthead cdn purge --all",
        ),
        Check("cdn.purges", purges_trouble, readiness=False, remedy=_REMEDY),
        Check(
            "cdn.connection",
            connection_trouble,
            readiness=False,
            status=False,
            warn=True,
            remedy=_REMEDY,
        ),
        Reading(
            "masthead_cdn_waiting_purges",
            "Purges that are due and wait, by cache.",
            ("cache",),
            _waiting,
        ),
        Reading(
            "masthead_cdn_failing_seconds",
            "Seconds since the first failure after the last success, by cache; 0 if it works.",
            ("cache",),
            _failing,
        ),
    ]


def settings_trouble(instance: Instance) -> str | None:
    """Return a cache whose token is missing."""
    pairs = (FASTLY_SERVICE, FASTLY_TOKEN), (CLOUDFLARE_ZONE, CLOUDFLARE_TOKEN)
    for where, token in pairs:
        if instance.settings[where] and not instance.settings[token]:
            return f"{where.name} is set, which needs {token.name}"
    return None


def keys_trouble(instance: Instance) -> str | None:
    """Return the caches that find no keys in answers, so that a purge succeeds without effect."""
    sent = {name.lower() for name in instance.settings.value(_KEY_HEADERS)}
    found = [
        f"{cache.name} finds keys in {cache.key_header} only, which {_KEY_HEADERS} lacks"
        for cache in caches_of(instance)
        if cache.key_header.lower() not in sent
    ]
    return "; ".join(found) or None


def purges_trouble(instance: Instance) -> str | None:
    """Return the caches whose last purge failed, or whose purges wait for long."""
    names, now = [cache.name for cache in caches_of(instance)], utcnow()
    with instance.database.read() as connection:
        failed = connection.execute(
            select(CacheState.name, CacheState.failing_since, CacheState.error)
            .where(CacheState.name.in_(names), CacheState.failing_since.is_not(None))
            .order_by(CacheState.name)
        ).all()
        late = connection.execute(
            select(func.count())
            .select_from(Purge)
            .where(Purge.cache.in_(names), Purge.due_at < now - _LATE)
        ).scalar_one()
    found = [
        f"{row.name} fails since {row.failing_since:%Y-%m-%d %H:%M}: {row.error}" for row in failed
    ]
    if late and not found:
        found.append(f"{late} purges wait for more than a minute; is a worker running?")
    return "; ".join(found) or None


def connection_trouble(instance: Instance) -> str | None:
    """Purge a key that no answer has; return why that fails."""
    return "; ".join(f"{name}: {error}" for name, error in probe(instance) if error) or None


def probe(instance: Instance) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each cache, and the reason why it can't be purged."""
    for cache in caches_of(instance):
        yield cache.name, _trouble(cache)


def _trouble(cache: Cache) -> str | None:
    from masthead_cdn.calling import PurgeError

    try:
        cache.purge([_PROBE])
    except PurgeError as error:
        return str(error)
    return None


def _waiting(instance: Instance, connection: Connection) -> Iterable[tuple[tuple[str, ...], float]]:
    due = Purge.due_at <= utcnow()
    counted = select(Purge.cache, func.count()).where(due).group_by(Purge.cache)
    found = dict(connection.execute(counted).all())
    return [((cache.name,), found.get(cache.name, 0)) for cache in caches_of(instance)]


def _failing(instance: Instance, connection: Connection) -> Iterable[tuple[tuple[str, ...], float]]:
    since = dict(connection.execute(select(CacheState.name, CacheState.failing_since)).all())
    now = utcnow()
    for cache in caches_of(instance):
        began = since.get(cache.name)
        yield (cache.name,), (now - began).total_seconds() if began else 0
