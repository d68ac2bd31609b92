"""A clock that tests control."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import time_machine

_START = "2026-03-01T09:30:00Z"


class Clock:
    """A clock that is stopped until a test moves it."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller

    def now(self) -> datetime:
        """Return the current time of the clock."""
        return datetime.now(UTC)

    def move_to(self, moment: datetime | str) -> None:
        """Set the clock to a time; text is ISO 8601 with an offset or ``Z``."""
        self._traveller.move_to(_read(moment))

    def shift(self, **units: Any) -> None:
        """Move the clock by a ``timedelta`` of these units: ``shift(days=1)``."""
        self._traveller.shift(timedelta(**units))


@contextmanager
def stopped_clock() -> Iterator[Clock]:
    """Stop the time at half past nine on the first of March 2026, UTC."""
    with time_machine.travel(_read(_START), tick=False) as traveller:
        yield Clock(traveller)


def _read(moment: datetime | str) -> datetime:
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    if found.tzinfo is None:
        raise ValueError(f"{moment!r} names no time zone")
    return found
