"""The content version: a random token that changes whenever public content changes.

Each transaction that changes a table for the public replaces the token, and the version of that
table (see ``changed_tables.py``). A warm answer only needs the token. Versions of tables tell which
of the other answers are still valid after the token has changed.

Tokens are random, so a restored backup can't repeat one that belongs to other content.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, MetaData, Text, TextClause, bindparam, event, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.pool import ConnectionPoolEntry

from masthead.db import Database, UTCDateTime, utc_text, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE, ChangedTables, take_changed
from masthead.db.engine import SQLiteReader
from masthead.db.exportable import NOT_EXPORTED
from masthead.settings import Setting, boolean

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

_REPLACED = "masthead.replaced"
_OTHERS = "*"
"""Stands for the tables that have no version of their own in ``ContentVersion.tables``."""


class ContentVersion(Base):
    """The one row that holds the token and the versions of tables."""

    __tablename__ = "core_content_version"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token: Mapped[str] = mapped_column(Text())
    changed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last replacement; None if an older release has made it."""
    tables: Mapped[str | None] = mapped_column(Text())
    """JSON: by the name of a table, the token and the time of its last change."""
    tables_token: Mapped[str | None] = mapped_column(Text())
    """The token with which ``tables`` was written. If it isn't ``token``, an older release, which
    doesn't know ``tables``, has replaced the token, and any table may have changed."""
    tag_key: Mapped[str | None] = mapped_column(Text())
    """The key of the digests in entity tags, in hexadecimal."""


class Change(NamedTuple):
    """The last change of a table."""

    token: str
    at: datetime | None


@dataclass(frozen=True)
class TableVersions:
    """The content version with the versions of tables, as read at once."""

    token: str
    others: Change
    """The change of the tables that are not in ``changes``."""
    changes: Mapping[str, Change]
    tag_key: str | None

    def of(self, table: str) -> Change:
        """Return the last change of a table."""
        return self.changes.get(table, self.others)


_ROW = ContentVersion.__table__.c
TOKEN = select(_ROW.token)
"""The query of the token."""
_VERSIONS = select(_ROW.token, _ROW.changed_at, _ROW.tables, _ROW.tables_token, _ROW.tag_key)
_MERGED = {
    "sqlite": "json_patch({0}.tables, :changed)",
    "postgresql": "CAST(CAST({0}.tables AS jsonb) || CAST(:changed AS jsonb) AS text)",
}
# Part of the statement, because a second one would be another round trip of each write.
_NOTIFY = {"sqlite": "", "postgresql": f" RETURNING pg_notify('{CHANNEL}', '')"}


def _replacement(dialect: str) -> TextClause:
    """Return the statement that replaces the token and the versions of changed tables.

    A version of all other tables replaces theirs if an older release has written before.
    """
    merged = _MERGED[dialect].format("core_content_version")
    return text(
        # The texts are constants.
        "INSERT INTO core_content_version (id, token, changed_at, tables, tables_token, tag_key)"  # noqa: S608
        " VALUES (1, :token, :now, :all, :token, :tag_key) ON CONFLICT (id) DO UPDATE SET"
        " token = excluded.token, changed_at = excluded.changed_at,"
        " tables_token = excluded.token,"
        " tag_key = coalesce(core_content_version.tag_key, excluded.tag_key),"
        " tables = CASE WHEN :partly AND core_content_version.tables_token ="
        f" core_content_version.token THEN {merged} ELSE excluded.tables END"
        f"{_NOTIFY[dialect]}"
    ).bindparams(bindparam("now", type_=UTCDateTime()))


class Version:
    """The content version of a database: replaces the token at each write, and reads it.

    SQLite is read at every request; PostgreSQL at most every ``FRESH`` seconds, unless strict or
    expired.
    """

    def __init__(
        self, database: Database, *, strict: bool, metadata: Iterable[MetaData] = ()
    ) -> None:
        """Begin to replace the token.

        :param metadata: the tables of the instance.
        """
        self._database = database
        self._always = strict or database.dialect == "sqlite"
        self._read = self._read_sqlite if database.dialect == "sqlite" else self._read_postgresql
        self._thread = threading.local()
        self._nowait_reader: SQLiteReader | None = None
        self._token: str | None = None
        self._read_at = self._expired_at = float("-inf")
        self._lock = threading.Lock()
        self._commits = 0
        self._replacement = _replacement(database.dialect)
        ChangedTables(database.engine, metadata)
        event.listen(database.engine, "commit", self._replace)
        event.listen(database.engine, "checkin", self._forget_after_commit)

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
            if commits == self._commits and began >= self._read_at:
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

    def table_versions(self) -> TableVersions:
        """Return the current token and the versions of tables.

        :raises SQLAlchemyError: if the database doesn't answer.
        """
        began, commits = time.monotonic(), self._commits
        with self._database.waits.hurried(PATIENCE), self._database.read() as connection:
            row = connection.execute(_VERSIONS).one_or_none()
        found = _table_versions(*row) if row is not None else _EMPTY
        self._note(found.token, began, commits)
        return found

    def _replace(self, connection: Connection) -> None:
        """Replace the token in a transaction that has changed something, before it commits."""
        has_changed, tables = take_changed(connection)
        if has_changed:
            token, now = secrets.token_hex(16), utcnow()
            change = [token, utc_text(now)]
            changed = dict.fromkeys(tables or (), change)
            values = {
                "token": token,
                "now": now,
                "all": json.dumps({_OTHERS: change}),
                "changed": json.dumps(changed),
                "partly": tables is not None,
                "tag_key": secrets.token_hex(32),
            }
            connection.execute(self._replacement, values).close()
            connection.info[_REPLACED] = True

    def _forget_after_commit(self, _connection: Any, record: ConnectionPoolEntry) -> None:
        """Read the token again after a commit of this process.

        SQLAlchemy has no event after a commit, but the connection returns to the pool.
        """
        if record.info.pop(_REPLACED, False):
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


def _table_versions(
    token: str,
    changed_at: datetime | None,
    tables: str | None,
    tables_token: str | None,
    tag_key: str | None,
) -> TableVersions:
    if tables is None or tables_token != token:
        return TableVersions(token, Change(token, changed_at), {}, tag_key)
    changes = {
        name: Change(of_table, datetime.fromisoformat(at))
        for name, (of_table, at) in json.loads(tables).items()
    }
    return TableVersions(token, changes.pop(_OTHERS), changes, tag_key)


_EMPTY = TableVersions("", Change("", None), {}, None)
"""The versions of a database without any change."""
