"""Connections to PostgreSQL that don't wait for a server without end."""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from functools import wraps
from typing import Any

import psycopg

from masthead.db.outage import PROBE_SECONDS, SUSPICION, Outage
from masthead.db.waits import Waits

_NETWORK_SECONDS = 5  # in which an answer arrives after the server's own timeout

_Step = Generator[Any, Any, Any]


def make_impatient(connection: Any, waits: Waits, outage: Outage) -> None:
    """Let a connection of psycopg give up on a server that doesn't answer.

    The server itself ends a statement that takes too long; this limit is for a server that is
    stopped or unreachable, even if its machine confirms the receipt of the statement.
    """
    wait = connection.wait

    @wraps(wait)
    def wait_less(step: _Step, *args: Any, **options: Any) -> Any:
        if outage.is_watched:
            limit = math.inf if waits.statement is None else waits.statement + _NETWORK_SECONDS
            step = _bounded(connection, step, min(limit, waits.hurry), outage)
        elif waits.statement is not None:
            step = _bounded(connection, step, waits.statement + _NETWORK_SECONDS)
        return wait(step, *args, **options)

    connection.wait = wait_less


def probe(arguments: dict[str, Any]) -> None:
    """Open a connection, query the server and close the connection.

    :param arguments: those of ``psycopg.connect``.
    :raises psycopg.Error: if the server doesn't answer in ``PROBE_SECONDS``.
    """
    wanted = {**arguments, "connect_timeout": PROBE_SECONDS, "autocommit": True}
    with psycopg.connect(**wanted) as connection:
        limited: Any = connection
        wait = connection.wait
        limited.wait = lambda step, *args, **options: wait(
            _bounded(connection, step, PROBE_SECONDS), *args, **options
        )
        connection.execute("SELECT 1")


def _bounded(connection: Any, step: _Step, seconds: float, outage: Outage | None = None) -> _Step:
    """Run a step of the protocol.

    :param outage: is suspected if the server doesn't answer for some time.
    :raises psycopg.OperationalError: if it takes too long; the connection is then closed.
    """
    began = time.monotonic()
    suspicious = began + SUSPICION
    try:
        waits_for = next(step)
        while True:
            # psycopg resumes the step at least each tenth of a second.
            ready = yield waits_for
            if not ready:
                now = time.monotonic()
                if now > began + seconds or (outage is not None and outage.is_open):
                    connection.close()
                    raise psycopg.OperationalError("the server doesn't answer")
                if outage is not None and now > suspicious:
                    outage.suspect()
                    suspicious = now + SUSPICION
            waits_for = step.send(ready)
    except StopIteration as end:
        if outage is not None:
            outage.heard()
        return end.value
