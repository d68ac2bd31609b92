"""The content version: a random token that every change of what the public may see replaces.

Any statement that writes a table makes its transaction one that changes content, unless the table
is declared private (``info=PRIVATE``): a table that nobody thought of is safe. The token is random,
so that a restored backup can't repeat one that clients have seen.
"""

from __future__ import annotations

import secrets
import threading
import time
from typing import Any

from sqlalchemy import Connection, Table, Text, event, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.dml import UpdateBase

from masthead.db import Database
from masthead.db.base import Base
from masthead.db.engine import KeptReader
from masthead.db.exportable import NOT_EXPORTED
from masthead.settings import Setting, boolean

PRIVATE = {"private": True}
"""The ``info`` of a table whose rows no public answer depends on."""
FRESH = 0.5
"""Seconds for which a process on PostgreSQL goes by the token that it read last."""

STRICT = Setting(
    "masthead.cache.strict",
    boolean,
    "false",
    "Whether a process on PostgreSQL asks for the content version at every public request, so that"
    " it sees the writes of other processes at once instead of within half a second.",
    shows=False,
)

_TOUCHED, _REPLACED = "masthead.touched", "masthead.replaced"


class ContentVersion(Base):
    """The one row that holds the token."""

    __tablename__ = "core_content_version"
    __table_args__ = {"info": NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token: Mapped[str] = mapped_column(Text())


_TOKEN = select(ContentVersion.__table__.c.token)
_REPLACE = text(
    "INSERT INTO core_content_version (id, token) VALUES (1, :token)"
    " ON CONFLICT (id) DO UPDATE SET token = excluded.token"
)


class Version:
    """The content version of a database: replaces the token at each write, and reads it.

    It is read as seldom as the promise to other processes allows.
    """

    def __init__(self, database: Database, *, strict: bool) -> None:
        self._database = database
        self._always = strict or database.dialect == "sqlite"
        self._read = self._read_kept if database.dialect == "sqlite" else self._read_pooled
        self._kept = threading.local()
        self._impatient: KeptReader | None = None
        self._token: str | None = None
        self._read_at = float("-inf")
        self._lock = threading.Lock()
        self._commits = 0
        _watch_writes(database, self._forget)

    def token(self) -> str | None:
        """The token in force; None where the database can't say."""
        if not self._always and time.monotonic() - self._read_at < FRESH:
            return self._token
        began, commits = time.monotonic(), self._commits
        try:
            token = self._read()
        except (SQLAlchemyError, self._database.driver_error):
            return None
        with self._lock:
            # What was read before this process committed is not what the next read has to see.
            if commits == self._commits:
                self._token, self._read_at = token, began
        return token

    def token_nowait(self) -> str | None:
        """The token in force, where that can be said without waiting for a lock or a network.

        To be asked in one thread only.

        :returns: None where ``token()`` has to be asked.
        """
        if self._database.dialect == "postgresql":
            fresh = not self._always and time.monotonic() - self._read_at < FRESH
            return self._token if fresh else None
        if self._impatient is None or self._impatient.closed:
            return None
        try:
            return _ask(self._impatient)
        except self._database.driver_error:
            return None

    def _forget(self) -> None:
        with self._lock:
            self._commits += 1
            self._read_at = float("-inf")

    def _read_pooled(self) -> str | None:
        with self._database.read() as connection:
            return connection.execute(_TOKEN).scalar() or ""

    def _read_kept(self) -> str | None:
        """By the driver on a connection of the thread's own: this is asked at every request."""
        kept = getattr(self._kept, "connection", None)
        if kept is None or kept.closed:
            kept = self._kept.connection = self._database.keep_reader()
        if self._impatient is None or self._impatient.closed:
            # Opening one can wait too, so it isn't done by who can't.
            impatient = self._database.keep_reader()
            impatient.execute("PRAGMA busy_timeout=0")
            self._impatient = impatient
        return _ask(kept)


def _ask(reader: KeptReader) -> str:
    row = reader.execute("SELECT token FROM core_content_version").fetchone()
    return row[0] if row else ""


def touch(connection: Connection) -> None:
    """Make the transaction one that changes content; textual SQL that writes needs it."""
    connection.info[_TOUCHED] = True


def _watch_writes(database: Database, committed: Any) -> None:
    """Replace the token in each transaction that writes a table that isn't private.

    :param committed: called after such a transaction was committed by this process.
    """

    def checkin(_connection: Any, record: ConnectionPoolEntry) -> None:
        # Nothing is told after a commit, but the connection goes back to the pool.
        if record.info.pop(_REPLACED, False):
            committed()

    event.listen(database.engine, "after_execute", _notice)
    event.listen(database.engine, "commit", _replace_token)
    event.listen(database.engine, "rollback", _forget_touch)
    event.listen(database.engine, "checkin", checkin)


def _notice(connection: Connection, statement: Any, *_rest: Any) -> None:
    if isinstance(statement, UpdateBase):
        table = statement.table
        if not (isinstance(table, Table) and table.info.get("private")):
            touch(connection)


def _replace_token(connection: Connection) -> None:
    if connection.info.pop(_TOUCHED, False):
        connection.execute(_REPLACE, {"token": secrets.token_hex(16)})
        connection.info[_REPLACED] = True


def _forget_touch(connection: Connection) -> None:
    connection.info.pop(_TOUCHED, None)
