"""The connection pools and sessions of a database, SQLite or PostgreSQL."""

from __future__ import annotations

import importlib
import logging
import select
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    Executable,
    create_engine,
    event,
)
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from masthead.db.outage import PROBE_SECONDS, Outage
from masthead.db.prepared import Prepared
from masthead.db.read_tables import track_reads
from masthead.db.refused_writes import RefusedWrites
from masthead.db.sqlite_file import SQLiteFile
from masthead.db.url import place_of, read_url
from masthead.db.waits import KEEPALIVES, KEEPALIVES_OF_SERVER, DatabaseAway, Waits
from masthead.errors import StartError

logger = logging.getLogger(__name__)

_OUTAGE = "masthead.outage"
"""The number of outages when a connection was opened."""
_FIRST_SAFE_SQLITE = (3, 51, 3)
_CONNECT_SECONDS = 5
_SQLITE_LOCK_SECONDS = 30
_POOL_SECONDS = 10  # to wait for a connection of the pool


class SQLiteReader:
    """A read-only connection of SQLite's driver; it closes when its last reference is gone."""

    def __init__(self, connection: Any) -> None:
        self.execute = connection.execute
        self.Error = connection.Error
        self.close = weakref.finalize(self, connection.close)

    @property
    def closed(self) -> bool:
        """Whether the connection is closed."""
        return not self.close.alive


class Database:
    """The engine and sessions of one database; ``dispose()`` closes its connections.

    Writers and readers have separate connection pools, so a reader never waits for a writer's
    connection. No connection opens before the first use.

    :param url: ``sqlite:///path`` or ``postgresql://user:password@host/name``.
    :param pool_size: the connections that each pool keeps open; under load a pool opens up to
        twice as many.
    :param prepared: whether PostgreSQL keeps statements and limits for a connection. A pooler that
        changes the connection with each transaction needs False.
    :raises StartError: if the URL is invalid.
    """

    def __init__(self, url: str, *, pool_size: int = 8, prepared: bool = True) -> None:
        self.url = read_url(url)
        self.prepared = prepared
        self.session_info: dict[str, Any] = {}
        """The ``session.info`` of each session."""
        self.before_commit: Callable[[Session], object] | None = None
        """A function that is called with each writing session just before it commits."""
        self.waits = Waits()
        """How long connections wait; applies to those that open after a change."""
        self.refused_writes = RefusedWrites()
        """The writes that couldn't be stored lately, for example because of a full disk."""
        self._file: SQLiteFile | None = None
        outage = Outage(self.url.render_as_string(), self._probe)
        self._sqlite_readers: weakref.WeakSet[SQLiteReader] = weakref.WeakSet()
        self.dialect: Literal["sqlite", "postgresql"]
        if self.url.drivername == "sqlite":
            self.dialect = "sqlite"
            self._file = SQLiteFile(Path(self.url.database or ""), _sqlite_driver())
            self.engine, self._reader = _sqlite_engines(self.url, pool_size, self._file, self.waits)
        else:
            self.dialect = "postgresql"
            self.engine, self._reader = _postgresql_engines(
                self.url, pool_size, self.waits, outage, prepared
            )
        self.outage = outage
        """Whether the database is away."""
        for engine in (self.engine, self._reader):
            self._listen(engine)
        self._reading_session = self._reader.execution_options()
        limits = self.waits if self.dialect == "postgresql" and not prepared else Waits()
        event.listen(self._reading_session, "begin", partial(_begin_reading, limits))

    def _listen(self, engine: Engine) -> None:
        event.listen(engine, "do_connect", self._refuse_new)
        event.listen(engine, "connect", self._note_outage)
        event.listen(engine, "checkout", self._refuse_old)
        event.listen(engine, "handle_error", self._suspect)
        track_reads(engine)

    @property
    def place(self) -> str:
        """The URL without the password and without connection options."""
        return place_of(self.url)

    def session(self, read_only: bool = False) -> Session:
        """Return a new session.

        On SQLite the first statement of a writing session waits for the write lock. Its reads
        therefore stay valid until it commits.

        :param read_only: whether a write raises DBAPIError.
        """
        bind = self._reading_session if read_only else self.engine
        session = Session(bind, expire_on_commit=False, info=self.session_info)
        if not read_only:
            event.listen(session, "before_commit", self._call_before_commit)
        return session

    def _call_before_commit(self, session: Session) -> None:
        # SQLAlchemy sends the event for savepoints too.
        if self.before_commit is not None and not session.in_nested_transaction():
            self.before_commit(session)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Yield a writing session; commit it at the end, or roll it back if the block raises."""
        with self.session() as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection without a transaction, for reads outside the request's transaction.

        Each statement sees the data that is committed when it runs. This saves PostgreSQL two
        round trips. A write raises DBAPIError on SQLite; on PostgreSQL it is executed.
        """
        with self._reader.connect() as connection:
            yield connection

    @property
    def reader(self) -> Engine:
        """The engine for reading."""
        return self._reader

    @property
    def driver_error(self) -> type[Exception]:
        """The base class of the exceptions that the driver raises."""
        error: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        return error

    def prepare(self, statement: Executable) -> Prepared:
        """Compile a statement that is executed often."""
        return Prepared(statement, self.engine.dialect)

    def open_sqlite_reader(self) -> SQLiteReader:
        """Open a read-only connection of SQLite's driver outside the pool, for use by one thread.

        A query on it takes a few microseconds; checking out a pooled connection takes a hundred.
        """
        pooled = self._reader.raw_connection()
        pooled.detach()
        kept = SQLiteReader(pooled.dbapi_connection)
        self._sqlite_readers.add(kept)
        return kept

    def driver_arguments(self, url: URL) -> dict[str, Any]:
        """Return the arguments with which PostgreSQL's driver connects outside of the pools."""
        return _postgresql_arguments(self.engine, url, self.prepared)

    def watch(self) -> None:
        """Notice an outage, and don't wait for the database meanwhile; for servers and workers."""
        self.outage.is_watched = True

    def _probe(self) -> None:
        """Open a connection outside of the pools and use it; raise an exception if that fails."""
        if self.dialect == "sqlite":
            place = f"{Path(self.url.database or '').as_uri()}?mode=ro"
            connection = _sqlite_driver().connect(place, uri=True, timeout=PROBE_SECONDS)
            try:
                connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
            finally:
                connection.close()
            return
        from masthead.db.impatient import probe

        probe(self.driver_arguments(self.url))

    def _refuse_new(self, *_: Any) -> None:
        self.outage.check()

    def _note_outage(self, _connection: Any, record: ConnectionPoolEntry) -> None:
        record.info[_OUTAGE] = self.outage.number

    def _refuse_old(self, _connection: Any, record: ConnectionPoolEntry, _proxy: Any) -> None:
        """Let no request use a connection that an outage may have cut off."""
        if self.outage.is_open:
            raise DatabaseAway
        if record.info.get(_OUTAGE) != self.outage.number:
            raise DisconnectionError

    def _suspect(self, context: ExceptionContext) -> None:
        self.outage.suspect(context.original_exception)

    def never_create(self) -> None:
        """Let connections fail if the file of a SQLite database is missing."""
        if self._file is not None:
            self._file.may_create = False

    def dispose(self) -> None:
        """Close all connections; the next use opens new ones."""
        self.outage.end()
        for kept in list(self._sqlite_readers):
            kept.close()
        self._sqlite_readers.clear()
        self.engine.dispose()
        self._reader.dispose()


def _begin_reading(limits: Waits, connection: Connection) -> None:
    # SQLite's plain BEGIN is DEFERRED and takes no lock; query_only forbids writes.
    is_sqlite = connection.dialect.name == "sqlite"
    begin = "BEGIN" if is_sqlite else "BEGIN READ ONLY"
    connection.exec_driver_sql("; ".join([begin, *_limits(limits, "SET LOCAL")]))


def _sqlite_engines(
    url: URL, pool_size: int, file: SQLiteFile, waits: Waits
) -> tuple[Engine, Engine]:
    driver = _sqlite_driver()
    if driver.sqlite_version_info < _FIRST_SAFE_SQLITE:
        logger.warning(
            "SQLite %s can, rarely, damage a database that several connections write to;"
            " the pysqlite3 package contains a newer version",
            driver.sqlite_version,
        )
    options = {"module": driver, **_options(pool_size)}
    writer, reader = create_engine(url, **options), create_engine(url, **options)
    for engine in (writer, reader):
        event.listen(engine, "do_connect", file.prepare)
        event.listen(engine, "connect", partial(_set_up_sqlite, waits))
    event.listen(writer, "begin", _begin_writing_sqlite)
    event.listen(reader, "connect", _forbid_writing_sqlite)
    return writer, reader


def _options(pool_size: int) -> dict[str, Any]:
    pool = {"pool_size": pool_size, "max_overflow": pool_size, "pool_timeout": _POOL_SECONDS}
    # Errors are logged, and logs must not contain request data.
    return {**pool, "hide_parameters": True}


def _sqlite_driver() -> ModuleType:
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3.dbapi2")


def _set_up_sqlite(waits: Waits, connection: Any, _record: ConnectionPoolEntry) -> None:
    # By default the driver begins transactions late and as DEFERRED; Masthead begins them itself.
    connection.isolation_level = None
    seconds = _SQLITE_LOCK_SECONDS if waits.lock is None else waits.lock
    for pragma in (
        f"busy_timeout={seconds * 1000}",
        "foreign_keys=ON",
        # An acknowledged write survives a power cut.
        "synchronous=FULL",
        # In pages. The limit is high because the worker checkpoints earlier, so that no request
        # has to. It isn't off because without a worker the log would grow without bound.
        "wal_autocheckpoint=16384",
        # The size in bytes to which a larger log is truncated after a checkpoint.
        "journal_size_limit=67108864",
        # In KiB. A process has up to forty connections, and the system caches the file as well.
        "cache_size=-1000",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
    _enter_wal(connection, seconds)


def _enter_wal(connection: Any, seconds: float) -> None:
    """Switch to the write-ahead log; the setting persists in the file."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except _sqlite_driver().OperationalError:
            # Two connections that open a new file at once fail immediately, despite busy_timeout.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _forbid_writing_sqlite(connection: Any, _record: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only=ON").close()


def _begin_writing_sqlite(connection: Connection) -> None:
    # A transaction that reads first and then writes fails if another one wrote in between. A
    # transaction that takes the write lock first waits for it.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgresql_engines(
    url: URL, pool_size: int, waits: Waits, outage: Outage, prepared: bool
) -> tuple[Engine, Engine]:
    options = {
        "use_native_hstore": False,
        "connect_args": _connect_args(url, prepared),
        **_options(pool_size),
    }
    try:
        writer = create_engine(url, **options)
        reader = create_engine(url, isolation_level="AUTOCOMMIT", **options)
    except ImportError:
        raise StartError(
            "PostgreSQL needs the psycopg package, which isn't installed; install masthead-core"
            ' with its extra, as in pip install "./core[postgresql]"'
        ) from None
    for engine in (writer, reader):
        of_connection = waits if prepared else Waits()
        event.listen(engine, "connect", partial(_set_up_postgresql, waits, of_connection, outage))
        event.listen(engine, "checkout", _refuse_closed)
    if not prepared:
        event.listen(writer, "begin", partial(_limit_transaction, waits))
    return writer, reader


def _connect_args(url: URL, prepared: bool) -> dict[str, str | int | None]:
    wanted: dict[str, str | int | None] = {
        "fallback_application_name": "masthead",
        "connect_timeout": _CONNECT_SECONDS,
        # Otherwise texts of a database with the encoding SQL_ASCII arrive as bytes.
        "client_encoding": "UTF8",
        **KEEPALIVES,
    }
    if not prepared:
        wanted["prepare_threshold"] = None
    return {name: wanted[name] for name in wanted.keys() - url.query}


def _postgresql_arguments(engine: Engine, url: URL, prepared: bool) -> dict[str, Any]:
    """Return the arguments with which the driver connects."""
    return {**engine.dialect.create_connect_args(url)[1], **_connect_args(url, prepared)}


def _set_up_postgresql(
    waits: Waits, limits: Waits, outage: Outage, connection: Any, _record: ConnectionPoolEntry
) -> None:
    from masthead.db.impatient import make_impatient

    make_impatient(connection, waits, outage)
    wanted = ["SET TIME ZONE 'UTC'", *KEEPALIVES_OF_SERVER, *_limits(limits, "SET")]
    connection.execute("; ".join(wanted))
    # Without autocommit, a rollback would undo the setting.
    connection.commit()


def _limit_transaction(waits: Waits, connection: Connection) -> None:
    if statements := _limits(waits, "SET LOCAL"):
        connection.exec_driver_sql("; ".join(statements))


def _limits(waits: Waits, command: str) -> list[str]:
    """Return the statements that limit the waiting of a connection or transaction."""
    wanted = {"lock": waits.lock, "statement": waits.statement}
    return [
        f"{command} {name}_timeout = '{seconds}s'"
        for name, seconds in wanted.items()
        if seconds is not None
    ]


def _refuse_closed(connection: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:
    # A server that restarted has closed the connection, which makes the idle socket readable.
    # Polling takes a microsecond; a ping would cost every request a round trip.
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError
