"""The time to send by a relay that limits logins and messages, compared with the shortest time.

The relay counts logins in six seconds instead of a minute, so that the measurement takes a tenth of
the time.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox.models import OPEN, Delivery
from tests.bench import mail

MESSAGES = 1_000
LOGINS, WINDOW, PER_CONNECTION = 6, 6, 10
_INTERVAL = 0.4
"""Seconds between runs of a worker that has nothing to do."""


def measure() -> Iterator[str]:
    """Yield the time of a worker, and its ratio to the shortest possible time."""
    logins = math.ceil(MESSAGES / PER_CONNECTION)
    shortest = (math.ceil(logins / LOGINS) - 1) * WINDOW
    for kind in ("SQLite", "PostgreSQL"):
        with mail._instance(kind) as instance, _sink() as port:
            mail._queue(instance, MESSAGES)
            mail._configure(instance, port, 4)
            settings: Any = instance.settings
            settings._values["masthead.email.login_window"] = WINDOW
            runner = DeliveryRunner(instance)
            began = time.perf_counter()
            left = True
            while left:
                if not runner.run(instance, lambda: True):
                    time.sleep(_INTERVAL)
                with instance.database.read() as connection:
                    waiting = select(Delivery.id).where(Delivery.state.in_(OPEN)).limit(1)
                    left = connection.execute(waiting).first() is not None
            seconds = time.perf_counter() - began
            with instance.database.read() as connection:
                attempts = set(connection.execute(select(Delivery.state, Delivery.attempts)))
            assert attempts == {("sent", 1)}, attempts
        yield (
            f"{kind}: {MESSAGES:,} messages, {LOGINS} logins in {WINDOW} s, {PER_CONNECTION}"
            f" messages on each: {seconds:.1f} s, {seconds / shortest:.2f} times the shortest time"
        )


@contextmanager
def _sink() -> Iterator[int]:
    limits = {"--logins": LOGINS, "--window": WINDOW, "--messages": PER_CONNECTION}
    command = [sys.executable, str(mail.SINK)]
    command += [str(each) for pair in limits.items() for each in pair]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield int(process.stdout.readline())
        process.stdin.close()
