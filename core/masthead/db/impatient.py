"""Connections to PostgreSQL that don't wait for a server without end."""

from __future__ import annotations

import time
from collections.abc import Generator
from functools import wraps
from typing import Any

import psycopg

from masthead.db.waits import Waits

_NETWORK_SECONDS = 5  # in which an answer arrives after the server's own timeout

_Step = Generator[Any, Any, Any]


def make_impatient(connection: Any, waits: Waits) -> None:
    """Let a connection of psycopg give up on a server that doesn't answer.

    The server itself ends a statement that takes too long; this limit is for a server that is
    stopped or unreachable, even if its machine confirms the receipt of the statement.
    """
    wait = connection.wait

    @wraps(wait)
    def wait_less(step: _Step, *args: Any, **options: Any) -> Any:
        if waits.statement is not None:
            step = _bounded(connection, step, waits.statement + _NETWORK_SECONDS)
        return wait(step, *args, **options)

    connection.wait = wait_less


def _bounded(connection: Any, step: _Step, seconds: float) -> _Step:
    """Run a step of the protocol.

    :raises psycopg.OperationalError: if it takes too long; the connection is then closed.
    """
    deadline = time.monotonic() + seconds
    try:
        waits_for = next(step)
        while True:
            # psycopg resumes the step at least each tenth of a second.
            ready = yield waits_for
            if not ready and time.monotonic() > deadline:
                connection.close()
                raise psycopg.OperationalError("the server doesn't answer")
            waits_for = step.send(ready)
    except StopIteration as end:
        return end.value
