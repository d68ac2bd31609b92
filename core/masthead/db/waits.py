"""The time that the database is waited for, and the errors that mean that it can't serve now."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

RETRY_AFTER = 5
"""Seconds after which a client can repeat a request that the database couldn't serve."""

_SQLITE_BUSY = frozenset({5, 6})  # SQLITE_BUSY and SQLITE_LOCKED
# PostgreSQL's codes: deadlocks and conflicts, lock and statement timeouts, no connection, no
# resources, and a server that stops or starts.
_POSTGRESQL = ("40", "55P03", "57014", "08", "53", "57P0")
# psycopg's own errors have no code: it can't connect, or has lost the connection.
_LOST = frozenset(
    {"psycopg.OperationalError", "psycopg.InterfaceError", "psycopg.errors.ConnectionTimeout"}
)


@dataclass
class Waits:
    """How long new connections wait; the defaults suit commands and the worker."""

    lock: int | None = None
    """Seconds to wait for a lock; None means 30 on SQLite and without limit on PostgreSQL."""
    statement: int | None = None
    """Seconds to wait for a statement of PostgreSQL; None means without limit."""


def is_unavailable(error: BaseException) -> bool:
    """Whether an error means that the database can't serve now, but may later."""
    if isinstance(error, PoolTimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        # The lower byte is the primary code.
        return code & 0xFF in _SQLITE_BUSY
    state = getattr(error.orig, "sqlstate", None)
    if state:
        return str(state).startswith(_POSTGRESQL)
    kind = type(error.orig)
    return error.connection_invalidated or f"{kind.__module__}.{kind.__name__}" in _LOST
