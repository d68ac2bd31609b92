"""One database, SQLite or PostgreSQL, and the rules that connections to it obey."""

from __future__ import annotations

import importlib
import logging
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from masthead.errors import StartError

__all__ = ["Database"]

logger = logging.getLogger(__name__)

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
# How a connection to SQLite begins: IMMEDIATE, DEFERRED or AUTOCOMMIT; all but the first only read.
_BEGIN = "masthead_begin"
_FIRST_SAFE_SQLITE = (3, 51, 3)


class Database:
    """The engine and sessions of one database; ``dispose()`` closes what it holds.

    ``url`` is ``sqlite:///path`` or ``postgresql://user:password@host/name``. ``pool_size`` is how
    many connections are kept open; as many again are opened when all are busy. Nothing connects
    before the first use. StartError where the URL can't be used.
    """

    def __init__(self, url: str, *, pool_size: int = 8) -> None:
        self.url = _read_url(url)
        self.session_info: dict[str, Any] = {}
        """What ``session.info`` of each session holds, for who opened the database."""
        self.dialect: Literal["sqlite", "postgresql"]
        if self.url.drivername == "sqlite":
            self.dialect = "sqlite"
            self.engine = _sqlite_engine(self.url, pool_size)
            self._reading = self.engine.execution_options(**{_BEGIN: "DEFERRED"})
            self._autocommit = self.engine.execution_options(**{_BEGIN: "AUTOCOMMIT"})
        else:
            self.dialect = "postgresql"
            self.engine = _postgresql_engine(self.url, pool_size)
            self._reading = self.engine.execution_options(postgresql_readonly=True)
            self._autocommit = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    def session(self, read_only: bool = False) -> Session:
        """Return a new session; one that is ``read_only`` raises DBAPIError when it writes.

        On SQLite the first statement of a writing session waits for the write lock, so what is
        read in it stays true until it commits.
        """
        bind = self._reading if read_only else self.engine
        return Session(bind, expire_on_commit=False, info=self.session_info)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Give a writing session, committed at the end and rolled back where the block raises."""
        with self.session() as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection without a transaction, for reads beside the request's own.

        Each statement sees what is committed when it runs; PostgreSQL is spared two round trips.
        """
        with self._autocommit.connect() as connection:
            yield connection

    def dispose(self) -> None:
        """Close the pooled connections; the next use opens new ones."""
        self.engine.dispose()

    def after_fork(self) -> None:
        """Leave the connections of the parent process alone; call it first in a forked child."""
        # Collected as garbage they would be closed, which tells the parent's server to hang up.
        self._inherited = self.engine.pool
        self.engine.dispose(close=False)


def _read_url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The exception may quote the password.
        raise StartError(
            "The database URL can't be read; it should look like"
            " sqlite:///folder/file or postgresql://user@host/name"
        ) from None
    if url.drivername not in _DRIVERS:
        raise StartError(
            f"The database URL starts with {url.drivername}://; only sqlite:// and"
            " postgresql:// are known"
        )
    url = url.set(drivername=_DRIVERS[url.drivername])
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise StartError("The database URL must name a file, as sqlite:///folder/file does")
        # A later change of the working directory must not lead to another database.
        url = url.set(database=str(Path(url.database).absolute()))
    return url


def _sqlite_engine(url: URL, pool_size: int) -> Engine:
    driver = _sqlite_driver()
    if driver.sqlite_version_info < _FIRST_SAFE_SQLITE:
        logger.warning(
            "SQLite %s can, rarely, damage a database that several connections write to;"
            " the pysqlite3 package brings a newer one",
            driver.sqlite_version,
        )
    engine = create_engine(
        url, module=driver, pool_size=pool_size, max_overflow=pool_size, pool_timeout=30
    )
    event.listen(engine, "do_connect", _make_folder)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "checkin", _allow_writes)
    return engine


def _sqlite_driver() -> ModuleType:
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3.dbapi2")


def _make_folder(_dialect: Any, _record: Any, arguments: list[Any], _options: Any) -> None:
    Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)


def _set_up_sqlite(connection: Any, _record: ConnectionPoolEntry) -> None:
    # The driver's own idea of transactions begins them late and DEFERRED; ours are explicit.
    connection.isolation_level = None
    for pragma in (
        "busy_timeout=30000",
        "journal_mode=WAL",
        "foreign_keys=ON",
        # An acknowledged write survives a power cut. wal_autocheckpoint stays at its default:
        # without it the log would grow for ever where nothing else checkpoints.
        "synchronous=FULL",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    begin = connection.get_execution_options().get(_BEGIN, "IMMEDIATE")
    if begin != "IMMEDIATE":
        connection.connection.execute("PRAGMA query_only=ON").close()
        connection.info["only_reads"] = True
    if begin != "AUTOCOMMIT":
        connection.exec_driver_sql(f"BEGIN {begin}")


def _allow_writes(connection: Any, record: ConnectionPoolEntry) -> None:
    if record.info.pop("only_reads", False) and connection is not None:
        connection.execute("PRAGMA query_only=OFF").close()


def _postgresql_engine(url: URL, pool_size: int) -> Engine:
    try:
        engine = create_engine(
            url,
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_timeout=30,
            use_native_hstore=False,
            connect_args={"fallback_application_name": "masthead"},
        )
    except ImportError:
        raise StartError("PostgreSQL needs the psycopg package, which isn't installed") from None
    event.listen(engine, "connect", _set_up_postgresql)
    event.listen(engine, "checkout", _refuse_closed)
    return engine


def _set_up_postgresql(connection: Any, _record: ConnectionPoolEntry) -> None:
    connection.autocommit = True
    connection.execute("SET TIME ZONE 'UTC'")
    connection.autocommit = False


def _refuse_closed(connection: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:
    # A server that restarted has closed its end, which makes the idle socket readable. Asking the
    # kernel costs a microsecond; a ping would cost every request a round trip.
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError
