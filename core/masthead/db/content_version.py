"""The content version: a random token that changes whenever public content changes.

Each transaction that writes a table replaces the token, unless the table is declared private
(``info=PRIVATE``): a forgotten declaration costs a cache miss, never a stale answer. The token is
random, so a restored backup can't repeat a token that clients have seen.
"""

from __future__ import annotations

import secrets
import threading
import time
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, Text, bindparam, event, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.dml import UpdateBase

from masthead.db import Database, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.engine import SQLiteReader
from masthead.db.exportable import NOT_EXPORTED
from masthead.settings import Setting, boolean

PRIVATE = {"private": True}
"""The ``info`` of a table whose rows no public answer depends on."""
FRESH = 0.5
"""The seconds for which a process on PostgreSQL uses the last token that it read."""

CHANNEL = "masthead_content"
"""The channel on which PostgreSQL notifies listeners that the token was replaced."""

PATIENCE = 2.0
"""The seconds that a request waits for the token; it is read from one row of a small table."""

STRICT = Setting(
    "masthead.cache.strict",
    boolean,
    "false",
    "Whether a process on PostgreSQL reads the content version at every public request, so that it"
    " sees the writes of other processes at once instead of within half a second.",
    shows=False,
)

_TOUCHED, _REPLACED = "masthead.touched", "masthead.replaced"


class ContentVersion(Base):
    """The one row that holds the token."""

    __tablename__ = "core_content_version"
    __table_args__ = {"info": NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token: Mapped[str] = mapped_column(Text())
    changed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last replacement; None if an older release has made it."""


TOKEN = select(ContentVersion.__table__.c.token)
"""The query of the token."""
_REPLACE_TEXT = (
    "INSERT INTO core_content_version (id, token, changed_at) VALUES (1, :token, :now)"
    " ON CONFLICT (id) DO UPDATE SET token = excluded.token, changed_at = excluded.changed_at"
)
# Part of the statement, because a second one would be another round trip of each write.
_NOTIFY = {"sqlite": "", "postgresql": f" RETURNING pg_notify('{CHANNEL}', '')"}
_REPLACE = {
    dialect: text(_REPLACE_TEXT + notify).bindparams(bindparam("now", type_=UTCDateTime()))
    for dialect, notify in _NOTIFY.items()
}


class Version:
    """The content version of a database: replaces the token at each write, and reads it.

    SQLite is read at every request; PostgreSQL at most every ``FRESH`` seconds, unless strict or
    expired.
    """

    def __init__(self, database: Database, *, strict: bool) -> None:
        self._database = database
        self._always = strict or database.dialect == "sqlite"
        self._read = self._read_sqlite if database.dialect == "sqlite" else self._read_postgresql
        self._thread = threading.local()
        self._nowait_reader: SQLiteReader | None = None
        self._token: str | None = None
        self._read_at = self._expired_at = float("-inf")
        self._lock = threading.Lock()
        self._commits = 0
        _replace_token_on_writes(database, self._forget)

    def expire(self) -> None:
        """Let the next request read the token, because another process has replaced it."""
        self._expired_at = time.monotonic()

    def _is_fresh(self) -> bool:
        """Whether the last token may be used; not one whose reading began before it expired."""
        read_at = self._read_at
        recent = not self._always and time.monotonic() - read_at < FRESH
        return recent and read_at > self._expired_at

    def token(self) -> str | None:
        """Return the current token; None if the database doesn't answer."""
        if self._is_fresh():
            return self._token
        began, commits = time.monotonic(), self._commits
        try:
            token = self._read()
        except (SQLAlchemyError, self._database.driver_error) as error:
            self._database.outage.suspect(error)
            return None
        self._note(token, began, commits)
        return token

    def last(self) -> tuple[str | None, float]:
        """Return the last token, and its age in seconds; infinite after a commit of this process.

        A commit that failed counts too, because the database may have completed it.
        """
        with self._lock:
            return self._token, time.monotonic() - self._read_at

    def _note(self, token: str | None, began: float, commits: int) -> None:
        with self._lock:
            # A token that was read before this process committed may be outdated.
            if commits == self._commits:
                self._token, self._read_at = token, began

    def token_nowait(self) -> str | None:
        """Return the current token if reading it waits for no lock and no network.

        Call it in one thread only.

        :returns: None if the caller has to use ``token()``.
        """
        if self._database.dialect == "postgresql":
            return self._token if self._is_fresh() else None
        if self._nowait_reader is None or self._nowait_reader.closed:
            return None
        began, commits = time.monotonic(), self._commits
        try:
            token = _select_token(self._nowait_reader)
        except self._database.driver_error:
            return None
        self._note(token, began, commits)
        return token

    def _forget(self) -> None:
        with self._lock:
            self._commits += 1
            self._read_at = float("-inf")

    def _read_postgresql(self) -> str | None:
        with self._database.waits.hurried(PATIENCE), self._database.read() as connection:
            return connection.execute(TOKEN).scalar() or ""

    def _read_sqlite(self) -> str | None:
        """Read the token on a driver connection of this thread; every request reads it."""
        reader = getattr(self._thread, "reader", None)
        if reader is None or reader.closed:
            reader = self._thread.reader = self._database.open_sqlite_reader()
        if self._nowait_reader is None or self._nowait_reader.closed:
            # Opening a connection can wait, so token_nowait() doesn't open it.
            nowait_reader = self._database.open_sqlite_reader()
            nowait_reader.execute("PRAGMA busy_timeout=0")
            self._nowait_reader = nowait_reader
        return _select_token(reader)


def _select_token(reader: SQLiteReader) -> str:
    row = reader.execute("SELECT token FROM core_content_version").fetchone()
    return row[0] if row else ""


def changed_at(connection: Connection) -> datetime | None:
    """Return the time of the last change of content; None if it isn't known."""
    found: datetime | None = connection.execute(
        select(ContentVersion.__table__.c.changed_at)
    ).scalar()
    return found


def touch(connection: Connection) -> None:
    """Mark the transaction as one that changes content; call it after a write by textual SQL."""
    connection.info[_TOUCHED] = True


def _replace_token_on_writes(database: Database, committed: Any) -> None:
    """Replace the token in each transaction that writes a table that isn't private.

    :param committed: called after this process has committed such a transaction.
    """

    def checkin(_connection: Any, record: ConnectionPoolEntry) -> None:
        # SQLAlchemy has no event after a commit, but the connection returns to the pool.
        if record.info.pop(_REPLACED, False):
            committed()

    event.listen(database.engine, "after_execute", _touch_on_write)
    event.listen(database.engine, "commit", _replace_token)
    event.listen(database.engine, "rollback", _forget_touch)
    event.listen(database.engine, "checkin", checkin)


def _touch_on_write(connection: Connection, statement: Any, *_rest: Any) -> None:
    if isinstance(statement, UpdateBase):
        table = statement.table
        if not (isinstance(table, Table) and table.info.get("private")):
            touch(connection)


def _replace_token(connection: Connection) -> None:
    if connection.info.pop(_TOUCHED, False):
        values = {"token": secrets.token_hex(16), "now": utcnow()}
        connection.execute(_REPLACE[connection.dialect.name], values).close()
        connection.info[_REPLACED] = True


def _forget_touch(connection: Connection) -> None:
    # A lost connection has lost its marks too, and asking for them would raise an exception.
    if not connection.invalidated:
        connection.info.pop(_TOUCHED, None)
