"""Learns at once that another process has changed content, over a connection of its own.

PostgreSQL notifies the listeners of each transaction that replaces the content version. The process
then reads the version at its next request. It also does so twice a second, so a connection that
gets no notifications, as behind a pooler, never makes an answer older than without a listener.

Each connection is tested with a notification from another connection, because a pooler lets
``LISTEN`` succeed and then keeps the notifications to itself.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, event, text
from sqlalchemy.exc import SQLAlchemyError

from masthead.db.content_version import CHANNEL, FRESH, Version
from masthead.db.direct import LISTEN, listened_url
from masthead.db.engine import Database
from masthead.db.outage import one_line
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance
from masthead.settings import Setting
from masthead.telemetry.metrics import Gauge

if TYPE_CHECKING:
    import psycopg

logger = logging.getLogger(__name__)

_LISTENERS = Gauge(
    "masthead_cache_listeners", "Processes that learn of changes by other processes at once."
)
_TEST_SECONDS = 5.0
"""The seconds in which the notification of a test has to arrive."""
_TEST_EVERY = 30.0
_BURST = 0.05
"""The seconds in which several changes count as one."""
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""The seconds after each loss of the connection in a row."""
_UNHEARD = "no notification arrives; a pooler may keep it, so name PostgreSQL itself"


def start_listener(instance: Instance) -> ContentListener | None:
    """Start the listener of this process, if the settings wish it."""
    url = listened_url(instance.database, instance.settings)
    if url is None:
        return None
    listener = ContentListener(instance.database, instance.version, url)
    listener.start()
    return listener


class ContentListener:
    """A thread that expires the content version of its process at each notification.

    It ends when the connections of the database are closed.
    """

    def __init__(self, database: Database, version: Version, url: URL) -> None:
        self._database = database
        self._version = version
        self._url = url
        self._ended = threading.Event()
        self._losses = 0
        self.works = threading.Event()
        """Set while notifications arrive."""

    def start(self) -> None:
        """Start the thread."""
        event.listen(self._database.engine, "engine_disposed", lambda _engine: self._ended.set())
        threading.Thread(target=self._run, name="content-listener", daemon=True).start()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with _connect(self._database, self._url) as connection:
                    self._listen(connection)
            except (SQLAlchemyError, self._database.driver_error) as error:
                self._database.outage.suspect(error)
                self._note(error)
                self._ended.wait(_PAUSES[min(self._losses, len(_PAUSES)) - 1])
        self._note(None)

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        channel = listen(connection)
        while not self._ended.is_set():
            if not is_heard(self._database, connection, channel):
                raise self._database.driver_error(_UNHEARD)
            if not self.works.is_set():
                self._note(None, works=True)
            self._version.expire()
            self._hear(connection)

    def _hear(self, connection: psycopg.Connection[Any]) -> None:
        """Expire the version at each notification, until the connection is tested again."""
        end = time.monotonic() + _TEST_EVERY
        while time.monotonic() < end and not self._ended.is_set():
            if any(True for _ in connection.notifies(timeout=1.0, stop_after=1)):
                self._version.expire()
                self._ended.wait(_BURST)

    def _note(self, error: Exception | None, *, works: bool = False) -> None:
        """Note whether notifications arrive; log the second loss in a row, and their return."""
        if works:
            self.works.set()
            if self._losses > 1:
                logger.info("Changes by other processes are seen at once again")
        else:
            self.works.clear()
        _LISTENERS.set(int(works))
        self._losses = 0 if error is None else self._losses + 1
        if error is not None and self._losses == 2 and not self._database.outage.is_open:
            logger.warning(
                "Changes by other processes are seen within %s s instead of at once: %s",
                FRESH,
                one_line(error),
            )


def _connect(database: Database, url: URL) -> psycopg.Connection[Any]:
    import psycopg

    return psycopg.connect(**database.driver_arguments(url), autocommit=True)


def listen(connection: psycopg.Connection[Any]) -> str:
    """Let the connection get notifications; return the channel of its tests."""
    channel = f"masthead_test_{secrets.token_hex(8)}"
    connection.execute(f"LISTEN {CHANNEL}".encode())
    connection.execute(f"LISTEN {channel}".encode())
    return channel


def is_heard(database: Database, connection: psycopg.Connection[Any], channel: str) -> bool:
    """Whether the connection gets a notification that another connection sends."""
    with database.read() as other:
        other.execute(text("SELECT pg_notify(:channel, '')"), {"channel": channel}).close()
    heard = connection.notifies(timeout=_TEST_SECONDS)
    return any(notification.channel == channel for notification in heard)


def listening_trouble(instance: Instance) -> str | None:
    """Return a message if notifications of PostgreSQL don't arrive."""
    url = listened_url(instance.database, instance.settings)
    if url is None:
        return None
    # Fails without the database, and the check is skipped then.
    with instance.database.read() as own:
        own.execute(text("SELECT 1")).close()
    try:
        with _connect(instance.database, url) as connection:
            heard = is_heard(instance.database, connection, listen(connection))
    except instance.database.driver_error as error:
        return one_line(error)
    return None if heard else _UNHEARD


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the setting of the listener."""
    return [LISTEN]


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the check of notifications."""
    return [
        Check(
            "database.listen",
            listening_trouble,
            readiness=False,
            level="warning",
            remedy=f"set {LISTEN.name} to the URL of PostgreSQL itself, or to false",
            status=False,
        )
    ]
