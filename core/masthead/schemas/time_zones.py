"""The field type of time zones."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.text_types import Line

_LONGEST = 64


def find_zone(name: str) -> ZoneInfo:
    """Return a time zone.

    :raises ValueError: for a name that isn't known.
    """
    try:
        return ZoneInfo(name)
    # ZoneInfo raises several kinds of errors for names that aren't known, such as folders.
    except (OSError, ValueError, LookupError):
        message = "Must be a time zone such as Europe/Berlin"
        raise WrongValue(ProblemCode.NOT_A_TIME_ZONE, message) from None


class TimeZone(Line):
    """The name of a time zone of the IANA database: ``Europe/Berlin``, ``UTC``."""

    def __init__(self) -> None:
        super().__init__(_LONGEST)

    def parse(self, value: Any) -> str:
        """Return the name."""
        name = super().parse(value)
        find_zone(name)
        return name
