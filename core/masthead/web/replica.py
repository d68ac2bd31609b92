"""Reads public answers from a streaming replica of the database, if it isn't behind.

A public answer that isn't cached is made from the replica if the content version there is the one
for which the answer will be cached. The version is read in the same transaction as the answer, so
this also holds for several replicas behind one address. Everything else, such as requests of staff,
uses the primary, as do public requests while the replica is behind or away.

While the primary is away, the replica answers if it has the last content version that this process
knows, for as long as cached answers would be sent.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextvars import Context
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.db import Database
from masthead.db.content_version import PATIENCE, TOKEN
from masthead.db.outage import one_line
from masthead.db.session import READING_SESSION
from masthead.db.settings import LOCK_TIMEOUT, POOL_SIZE, PREPARED, STATEMENT_TIMEOUT
from masthead.db.url import postgresql_url
from masthead.hookspecs import hookimpl
from masthead.http.environ import CONTENT_VERSION
from masthead.instance import Check, Instance
from masthead.settings import Setting, integer
from masthead.telemetry.metrics import Counter
from masthead.web.answers import without_body
from masthead.web.cache import STALE_IF_ERROR

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def _url(value: str) -> str:
    """Parse the URL of a PostgreSQL server; blank stays blank."""
    return postgresql_url(value) if value.strip() else ""


REPLICA_URL = Setting(
    "masthead.database.replica_url",
    _url,
    "",
    "The URL of a streaming replica of the PostgreSQL database. Public answers are read from it"
    " while it has the latest change; everything else uses masthead.database.url.",
    secret=True,
)
REPLICA_LAG = Setting(
    "masthead.database.replica_lag",
    integer(1, 86_400),
    "30",
    "Seconds by which the replica may be behind before GET /status and masthead doctor report it.",
    shows=False,
)
_REQUESTS = Counter(
    "masthead_replica_requests",
    "Public requests that could be read from the replica: used if they were; behind if it lacked"
    " the latest change, away if it couldn't be reached, failed if the primary answered then.",
    ("result",),
)
_REPLAY_SECONDS = 0.5
"""The seconds in which a replica replays a change that has just been made, for the check.

The time since the last replayed transaction is no lag if the primary had none meanwhile."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0
"""Seconds for which a replica that is behind isn't asked again."""


class Replica:
    """The replica of an instance; get it by ``instance.shared``."""

    def __init__(self, instance: Instance) -> None:
        settings = instance.settings
        self.database: Database | None = None
        """None if the settings name no replica."""
        self._again_at = self._pause = 0.0
        if settings[REPLICA_URL]:
            self.database = Database(
                settings[REPLICA_URL], pool_size=settings[POOL_SIZE], prepared=settings[PREPARED]
            )
            self.database.outage.name = "The replica of the database"
            self.database.session_info = instance.database.session_info
            event.listen(instance.database.engine, "engine_disposed", self._dispose)

    def _dispose(self, _engine: object) -> None:
        if self.database is not None:
            self.database.dispose()

    def session(self, token: str) -> Session | None:
        """Return a session in whose transaction the replica has this content version.

        :returns: None if the replica has another one, or can't be reached.
        """
        database = self.database
        if database is None or time.monotonic() < self._again_at:
            return None
        if database.outage.is_open:
            _REQUESTS.add("away")
            return None
        session = database.session(read_only=True)
        try:
            with database.waits.hurried(PATIENCE):
                # In an empty context, because it is none of the reads that make the answer.
                found = Context().run(lambda: session.execute(TOKEN).scalar())
        except SQLAlchemyError:
            session.close()
            _REQUESTS.add("away")
            return None
        if found == token:
            self._pause = 0.0
            return session
        session.close()
        _REQUESTS.add("behind")
        self._pause = min(2 * self._pause or _FIRST_PAUSE, _LONGEST_PAUSE)
        self._again_at = time.monotonic() + self._pause
        return None


class _Loan:
    """Lends a request a session of the replica when it first asks for one."""

    def __init__(self, replica: Replica, token: str) -> None:
        self._replica = replica
        self._token = token
        self.session: Session | None = None

    def __call__(self) -> Session | None:
        self.session = self._replica.session(self._token)
        return self.session


class ReplicaReads:
    """WSGI middleware between the cache and the router; lends sessions of the replica."""

    def __init__(self, app: WSGIApplication, instance: Instance, database: Database) -> None:
        self._app = app
        self._instance = instance
        self._replica = instance.shared(Replica)
        self._stale_seconds = instance.settings[STALE_IF_ERROR]
        database.watch()
        database.waits.lock = instance.settings[LOCK_TIMEOUT]
        database.waits.statement = instance.settings[STATEMENT_TIMEOUT]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a cacheable request from the replica, and all others from the primary."""
        token, age = environ.get(CONTENT_VERSION), None
        if token == "" and self._instance.database.outage.is_open:
            token, age = self._last_token()
        if not token:
            return self._app(environ, start_response)
        started: list[tuple[Any, ...]] = []

        def start(*arguments: Any) -> Any:
            started.append(arguments)

        loan = environ[READING_SESSION] = _Loan(self._replica, token)
        try:
            body = self._app(environ, start)
        finally:
            environ.pop(READING_SESSION, None)
            if loan.session is not None:
                loan.session.close()
        status, headers, *rest = started[0]
        if loan.session is not None and status.startswith("5"):
            _REQUESTS.add("failed")
            without_body(body)
            return self._app(environ, start_response)
        if loan.session is not None:
            _REQUESTS.add("used")
            headers = headers if age is None else [*headers, ("Age", str(int(age)))]
        start_response(status, headers, *rest)
        return body

    def _last_token(self) -> tuple[str | None, float]:
        """Return the last content version and its age, if it may be shown in an outage."""
        token, age = self._instance.version.last()
        return (token, age) if age <= self._stale_seconds else (None, age)


def with_replica(app: WSGIApplication, instance: Instance) -> WSGIApplication:
    """Return the application, in front of it the middleware if there is a replica."""
    database = instance.shared(Replica).database
    return app if database is None else ReplicaReads(app, instance, database)


_IDENTITY = (
    "(SELECT system_identifier FROM pg_control_system()),"
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_OF_PRIMARY = text(f"SELECT {_IDENTITY}, pg_current_wal_flush_lsn()::text")
_OF_REPLICA = text(
    f"SELECT {_IDENTITY}, pg_is_in_recovery(),"  # noqa: S608 - a constant
    " pg_last_wal_replay_lsn() >= CAST(:lsn AS pg_lsn) AS has_all,"
    " extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())"
)


def replica_trouble(instance: Instance) -> str | None:
    """Return a message if the replica can't be reached, is none of the database, or is behind."""
    database = instance.shared(Replica).database
    if database is None:
        return None
    with instance.database.read() as connection:
        *identity, position = connection.execute(_OF_PRIMARY).one()
    try:
        with database.read() as connection:
            return _trouble_of_replica(connection, identity, position, instance)
    except SQLAlchemyError as error:
        return f"it can't be reached: {one_line(error)}"


def _trouble_of_replica(
    connection: Connection, identity: list[Any], position: str, instance: Instance
) -> str | None:
    found = connection.execute(_OF_REPLICA, {"lsn": position}).one()
    if found.has_all is False:
        time.sleep(_REPLAY_SECONDS)
        found = connection.execute(_OF_REPLICA, {"lsn": position}).one()
    *own, is_replica, has_all, seconds = found
    if own != identity:
        return "it is a replica of another server or database, so it isn't used"
    if not is_replica:
        return "it isn't a replica, because it takes writes itself"
    if has_all or (seconds is not None and seconds <= instance.settings[REPLICA_LAG]):
        return None
    return f"it is {seconds:.0f} s behind" if seconds is not None else "it has replayed nothing"


def url_trouble(instance: Instance) -> str | None:
    """Return a message if there is a replica of a database that can't have one."""
    if instance.settings[REPLICA_URL] and instance.database.dialect == "sqlite":
        return f"{REPLICA_URL.name} needs PostgreSQL, but masthead.database.url is SQLite"
    return None


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of the replica."""
    return [REPLICA_URL, REPLICA_LAG]


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the checks of the replica."""
    return [
        Check("database.replica_url", url_trouble, start=True),
        Check(
            "database.replica",
            replica_trouble,
            readiness=False,
            level="warning",
            remedy=f"start the replica, or correct {REPLICA_URL.name}; the primary answers"
            " meanwhile",
        ),
    ]
