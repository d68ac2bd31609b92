"""The time that the database is waited for, and the errors that mean that it can't serve now."""

from __future__ import annotations

import errno
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy.exc import DBAPIError, PendingRollbackError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_IDLE, _INTERVAL, _COUNT, _USER_MILLISECONDS = 10, 5, 3, 20_000
KEEPALIVES = {
    "keepalives_idle": _IDLE,
    "keepalives_interval": _INTERVAL,
    "keepalives_count": _COUNT,
    "tcp_user_timeout": _USER_MILLISECONDS,
}
"""The parameters with which libpq notices within seconds that the machine of PostgreSQL is gone."""
KEEPALIVES_OF_SERVER = (
    f"SET tcp_keepalives_idle = {_IDLE}",
    f"SET tcp_keepalives_interval = {_INTERVAL}",
    f"SET tcp_keepalives_count = {_COUNT}",
    f"SET tcp_user_timeout = {_USER_MILLISECONDS}",
)
"""The statements with which PostgreSQL notices as soon that this machine is gone; otherwise the
locks of a transaction would remain for two hours."""
# SQLite's primary codes, which are the lower byte of a code.
_SQLITE_BUSY = frozenset({5, 6})  # SQLITE_BUSY and SQLITE_LOCKED
_SQLITE_LOST = frozenset({10, 14, 26})  # SQLITE_IOERR, SQLITE_CANTOPEN and SQLITE_NOTADB
_SQLITE_READONLY, _SQLITE_FULL = 8, 13
# PostgreSQL's codes: deadlocks and conflicts, lock and statement timeouts, no connection, no
# resources, and a server that stops or starts.
_POSTGRESQL_LOST = ("08", "57P0", "53300")
_POSTGRESQL = ("40", "55P03", "57014", "53", *_POSTGRESQL_LOST)
_POSTGRESQL_FULL, _POSTGRESQL_READONLY = "53100", "25006"
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
    _hurry: threading.local = field(default_factory=threading.local)

    @property
    def hurry(self) -> float:
        """The seconds that this thread waits for PostgreSQL at present."""
        seconds: float = getattr(self._hurry, "seconds", math.inf)
        return seconds

    @contextmanager
    def hurried(self, seconds: float) -> Iterator[None]:
        """Let this thread wait no longer for a statement inside the block; PostgreSQL only."""
        self._hurry.seconds = seconds
        try:
            yield
        finally:
            self._hurry.seconds = math.inf


class DatabaseAway(SQLAlchemyError):
    """The database is known to be away, so the caller doesn't wait for it."""

    def __init__(self) -> None:
        super().__init__("the database can't be reached")


class Trouble(NamedTuple):
    """The answer to a request that the database can't serve now, but may serve later."""

    message: str
    retry_after: int
    """Seconds after which a client can repeat the request."""


BUSY = Trouble("The database is busy or can't be reached; try again later", 5)
FULL = Trouble("The disk is full, so nothing was saved; try again later", 60)
READ_ONLY_DISK = Trouble("The disk is read-only now, so nothing was saved; try again later", 60)
READ_ONLY = Trouble("The database is read-only now, so nothing was saved; try again later", 60)


def trouble_of(error: BaseException, *, writing: bool = True) -> Trouble | None:
    """Return the answer to a request that failed; None if the database isn't the cause.

    :param writing: whether the request may write; otherwise a refused write is a fault of the code.
    """
    code, state = _codes(error)
    if code == _SQLITE_FULL or state == _POSTGRESQL_FULL:
        return FULL
    if code == _SQLITE_READONLY or state == _POSTGRESQL_READONLY:
        return READ_ONLY if writing else None
    return BUSY if is_unavailable(error) else None


def disk_trouble_of(error: OSError) -> Trouble | None:
    """Return the answer to a request that can't write a file; None if its disk isn't the cause."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return READ_ONLY_DISK if error.errno == errno.EROFS else None


def is_unavailable(error: BaseException) -> bool:
    """Whether an error means that the database can't serve now, but may later."""
    if isinstance(error, PoolTimeoutError) or is_lost(error):
        return True
    code, state = _codes(error)
    return code in _SQLITE_BUSY | {_SQLITE_FULL} or state.startswith(_POSTGRESQL)


_INVALIDATED = "8s2b"
"""SQLAlchemy's code of a statement on a connection that was lost earlier in the transaction."""


def is_lost(error: BaseException) -> bool:
    """Whether an error means that the database can't be reached."""
    if isinstance(error, DatabaseAway):
        return True
    if isinstance(error, PendingRollbackError):
        return error.code == _INVALIDATED
    code, state = _codes(error)
    if code or state:
        return code in _SQLITE_LOST or state.startswith(_POSTGRESQL_LOST)
    kind = type(_of_driver(error))
    is_driver_error = f"{kind.__module__}.{kind.__name__}" in _LOST
    return is_driver_error or bool(getattr(error, "connection_invalidated", False))


def _of_driver(error: BaseException) -> Any:
    return error.orig if isinstance(error, DBAPIError) else error


def _codes(error: BaseException) -> tuple[int, str]:
    """Return the primary code of SQLite and the code of PostgreSQL; 0 and blank if missing."""
    original = _of_driver(error)
    code = getattr(original, "sqlite_errorcode", None) or 0
    return code & 0xFF, str(getattr(original, "sqlstate", None) or "")
