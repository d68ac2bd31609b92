"""Conversion of column values to JSON and back, identical for both databases."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Column

from masthead.db import UTCDateTime, utc_text
from masthead.errors import StartError

_MAX_INTEGER = 2**63 - 1


@dataclass(frozen=True)
class Codec:
    """Converts the values of one type to JSON and back."""

    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]
    """Raises ``ValueError`` or ``TypeError`` for an invalid value."""


def codec_of(column: Column[Any]) -> Codec:
    """Return the codec for the values of a column, except null.

    :raises StartError: for a type that can't be exported.
    """
    kind = column.type
    if isinstance(kind, JSON):
        return _UNCHANGED
    if isinstance(kind, UTCDateTime):
        return _MOMENT
    try:
        return _FORMS[kind.python_type]
    except (KeyError, NotImplementedError):
        raise StartError(f"{column} can't be exported: its type {kind!r} isn't known") from None


def _same(value: Any) -> Any:
    return value


def _number(value: Any) -> int:
    if type(value) is not int or not -_MAX_INTEGER - 1 <= value <= _MAX_INTEGER:
        raise ValueError("Must be a whole number of 64 bits")
    return value


def _text(value: Any) -> str:
    if type(value) is not str or "\0" in value:
        raise ValueError("Must be a text")
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("Must be true or false")
    return value


def _float(value: Any) -> float:
    if type(value) not in (int, float):
        raise ValueError("Must be a number")
    return float(value)


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError("Must have a time zone")
    return moment


def _bytes(value: Any) -> bytes:
    return base64.b64decode(_text(value), validate=True)


def _decimal(value: Any) -> Decimal:
    number = Decimal(_text(value)) if _text(value).isascii() else Decimal("NaN")
    if not number.is_finite():
        raise ValueError("Must be a number")
    return number


_UNCHANGED = Codec(_same, _same)
_MOMENT = Codec(utc_text, _moment)
_FORMS: Mapping[type, Codec] = {
    int: Codec(_same, _number),
    str: Codec(_same, _text),
    bool: Codec(_same, _truth),
    float: Codec(_same, _float),
    bytes: Codec(lambda value: base64.b64encode(value).decode(), _bytes),
    datetime: Codec(datetime.isoformat, lambda value: datetime.fromisoformat(_text(value))),
    date: Codec(date.isoformat, lambda value: date.fromisoformat(_text(value))),
    time: Codec(time.isoformat, lambda value: time.fromisoformat(_text(value))),
    Decimal: Codec(str, _decimal),
    UUID: Codec(str, lambda value: UUID(_text(value))),
}
