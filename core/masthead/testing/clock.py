"""The time that a test lives in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import time_machine

_START = "2026-03-01T09:30:00Z"


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller

    def now(self) -> datetime:
        """What it shows."""
        return datetime.now(UTC)

    def move_to(self, moment: datetime | str) -> None:
        """Set it to a moment; a text is ISO 8601 with an offset or ``Z``."""
        self._traveller.move_to(_read(moment))

    def shift(self, **units: Any) -> None:
        """Move it by a ``timedelta`` of these units: ``shift(days=1)``."""
        self._traveller.shift(timedelta(**units))


@contextmanager
def stopped_clock() -> Iterator[Clock]:
    """Give a clock that shows half past nine on the first of March 2026, UTC."""
    with time_machine.travel(_read(_START), tick=False) as traveller:
        yield Clock(traveller)


def _read(moment: datetime | str) -> datetime:
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    if found.tzinfo is None:
        raise ValueError(f"{moment!r} names no time zone")
    return found
