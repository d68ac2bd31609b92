"""One database, SQLite or PostgreSQL, and the rules that connections to it obey."""

from __future__ import annotations

import importlib
import logging
import select
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, Executable, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from masthead.db.prepared import Prepared
from masthead.errors import StartError

logger = logging.getLogger(__name__)

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
_FIRST_SAFE_SQLITE = (3, 51, 3)
_CONNECT_SECONDS = 5


class KeptReader:
    """A connection of SQLite's driver that closes once nobody keeps it, as when a thread ends."""

    def __init__(self, connection: Any) -> None:
        self.execute = connection.execute
        self.Error = connection.Error
        self.close = weakref.finalize(self, connection.close)

    @property
    def closed(self) -> bool:
        """Whether it can't be asked any more."""
        return not self.close.alive


class Database:
    """The engine and sessions of one database; ``dispose()`` closes what it holds.

    ``url`` is ``sqlite:///path`` or ``postgresql://user:password@host/name``. There is a pool of
    connections that write and one of those that read, so that readers never queue behind writers.
    Each keeps up to ``pool_size`` open, and opens as many again when all are busy. Nothing connects
    before the first use. StartError where the URL can't be used.
    """

    def __init__(self, url: str, *, pool_size: int = 8) -> None:
        self.url = _read_url(url)
        self.session_info: dict[str, Any] = {}
        """What ``session.info`` of each session holds, for who opened the database."""
        self.before_commit: Callable[[Session], object] | None = None
        """Called with each writing session just before it commits."""
        self._kept: weakref.WeakSet[KeptReader] = weakref.WeakSet()
        self.dialect: Literal["sqlite", "postgresql"]
        if self.url.drivername == "sqlite":
            self.dialect = "sqlite"
            self.engine, self._reader = _sqlite_engines(self.url, pool_size)
        else:
            self.dialect = "postgresql"
            self.engine, self._reader = _postgresql_engines(self.url, pool_size)
        self._reading_session = self._reader.execution_options()
        event.listen(self._reading_session, "begin", _begin_reading)

    @property
    def place(self) -> str:
        """Its URL without what nobody may see: the password, and options of the connection."""
        url = self.url
        shown = URL.create(
            self.dialect, url.username, host=url.host, port=url.port, database=url.database
        )
        return shown.render_as_string()

    def session(self, read_only: bool = False) -> Session:
        """Return a new session; one that is ``read_only`` raises DBAPIError when it writes.

        On SQLite the first statement of a writing session waits for the write lock, so what is
        read in it stays true until it commits.
        """
        bind = self._reading_session if read_only else self.engine
        session = Session(bind, expire_on_commit=False, info=self.session_info)
        if not read_only:
            event.listen(session, "before_commit", self._tell_commit)
        return session

    def _tell_commit(self, session: Session) -> None:
        # The event comes for savepoints too.
        if self.before_commit is not None and not session.in_nested_transaction():
            self.before_commit(session)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Give a writing session, committed at the end and rolled back where the block raises."""
        with self.session() as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection without a transaction, for reads beside the request's own.

        Each statement sees what is committed when it runs; PostgreSQL is spared two round trips.
        A write raises DBAPIError on SQLite; PostgreSQL doesn't notice.
        """
        with self._reader.connect() as connection:
            yield connection

    @property
    def driver_error(self) -> type[Exception]:
        """What the driver raises where nothing of SQLAlchemy stands in between."""
        error: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        return error

    def prepare(self, statement: Executable) -> Prepared:
        """Compile a statement that is asked for all the time."""
        return Prepared(statement, self.engine.dialect)

    def keep_reader(self) -> KeptReader:
        """Open a connection of SQLite's driver that only reads, for a thread that keeps it.

        Asking it costs microseconds, where one from the pool costs a hundred.
        """
        pooled = self._reader.raw_connection()
        pooled.detach()
        kept = KeptReader(pooled.dbapi_connection)
        self._kept.add(kept)
        return kept

    def dispose(self) -> None:
        """Close the pooled and kept connections; the next use opens new ones."""
        for kept in list(self._kept):
            kept.close()
        self._kept.clear()
        self.engine.dispose()
        self._reader.dispose()


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


def _begin_reading(connection: Connection) -> None:
    # SQLite's plain BEGIN is DEFERRED: it takes no lock, and its connection can't write anyway.
    is_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN" if is_sqlite else "BEGIN READ ONLY")


def _sqlite_engines(url: URL, pool_size: int) -> tuple[Engine, Engine]:
    driver = _sqlite_driver()
    if driver.sqlite_version_info < _FIRST_SAFE_SQLITE:
        logger.warning(
            "SQLite %s can, rarely, damage a database that several connections write to;"
            " the pysqlite3 package brings a newer one",
            driver.sqlite_version,
        )
    options = {"module": driver, **_options(pool_size)}
    writer, reader = create_engine(url, **options), create_engine(url, **options)
    for engine in (writer, reader):
        event.listen(engine, "do_connect", _make_folder)
        event.listen(engine, "connect", _set_up_sqlite)
    event.listen(writer, "begin", _begin_writing_sqlite)
    event.listen(reader, "connect", _forbid_writing_sqlite)
    return writer, reader


def _options(pool_size: int) -> dict[str, Any]:
    pool = {"pool_size": pool_size, "max_overflow": pool_size, "pool_timeout": 30}
    # Errors are logged, and no log may show what people sent.
    return {**pool, "hide_parameters": True}


def _sqlite_driver() -> ModuleType:
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3.dbapi2")


def _make_folder(_dialect: Any, _record: Any, arguments: list[Any], _options: Any) -> None:
    # Digests of passwords and addresses of people lie in it.
    Path(arguments[0]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def _set_up_sqlite(connection: Any, _record: ConnectionPoolEntry) -> None:
    # The driver's own idea of transactions begins them late and DEFERRED; ours are explicit.
    connection.isolation_level = None
    for pragma in (
        "busy_timeout=30000",
        "foreign_keys=ON",
        # An acknowledged write survives a power cut.
        "synchronous=FULL",
        # Pages: so late that a worker has written the log back long before, and no request does
        # it. Not never: without a worker the log would grow for ever.
        "wal_autocheckpoint=16384",
        # Bytes to which a log that has grown larger is cut once it was written back.
        "journal_size_limit=67108864",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
    _enter_wal(connection)


def _enter_wal(connection: Any) -> None:
    """Choose the write-ahead log, which a file remembers from then on."""
    deadline = time.monotonic() + 30
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except _sqlite_driver().OperationalError:
            # Two that open a new file at once refuse each other at once, whatever the timeout.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _forbid_writing_sqlite(connection: Any, _record: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only=ON").close()


def _begin_writing_sqlite(connection: Connection) -> None:
    # A transaction that begins by reading and then writes fails at once where another wrote in
    # between; one that takes the write lock first waits its turn.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgresql_engines(url: URL, pool_size: int) -> tuple[Engine, Engine]:
    wanted = {"fallback_application_name": "masthead", "connect_timeout": _CONNECT_SECONDS}
    options = {
        "use_native_hstore": False,
        "connect_args": {name: wanted[name] for name in wanted.keys() - url.query},
        **_options(pool_size),
    }
    try:
        writer = create_engine(url, **options)
        reader = create_engine(url, isolation_level="AUTOCOMMIT", **options)
    except ImportError:
        raise StartError("PostgreSQL needs the psycopg package, which isn't installed") from None
    for engine in (writer, reader):
        event.listen(engine, "connect", _set_up_postgresql)
        event.listen(engine, "checkout", _refuse_closed)
    return writer, reader


def _set_up_postgresql(connection: Any, _record: ConnectionPoolEntry) -> None:
    connection.execute("SET TIME ZONE 'UTC'")
    # Where the connection isn't in autocommit; a rollback would undo the setting.
    connection.commit()


def _refuse_closed(connection: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:
    # A server that restarted has closed its end, which makes the idle socket readable. Asking the
    # kernel costs a microsecond; a ping would cost every request a round trip.
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError
