"""The events of all providers in one form, and safe access to their payloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from masthead import Invalid
from masthead_email.bounces.reading import Kind
from masthead_email.failures import Failure, classify


@dataclass(frozen=True)
class Event:
    """A failure or complaint, and the names by which the provider knows the delivery."""

    kind: Kind
    text: str
    """The words of the server or the provider."""
    failure: Failure | None = None
    names: tuple[str, ...] = ()
    """Return paths, delivery tags and Message-IDs."""


def parse_json(octets: bytes) -> Any:
    """Return the payload of a request.

    :raises Invalid: if it isn't JSON.
    """
    try:
        return orjson.loads(octets)
    except ValueError:
        raise Invalid("The body isn't valid JSON") from None


def value_at(payload: Any, *path: str) -> Any:
    """Return a value inside nested objects; None if a part of the path is missing."""
    for name in path:
        payload = payload.get(name) if isinstance(payload, Mapping) else None
    return payload


def text_at(payload: Any, *path: str) -> str:
    """Return a text inside nested objects; blank if there is none."""
    value = value_at(payload, *path)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def list_of(value: Any) -> list[Any]:
    """Return a list as it is, and another value as its only element."""
    return value if isinstance(value, list) else [value]


def failure_of(status: str, text: str, otherwise: Failure, code: str = "") -> Failure:
    """Return the class of a failure: by status code and text, else the provider's.

    :param otherwise: the class that corresponds to the provider's own categories.
    """
    number = int(code) if code.isascii() and code.isdigit() and len(code) == 3 else None
    found = classify(number, status or None, text)
    return otherwise if found is Failure.UNKNOWN else found


def complaint(text: str, *names: str) -> Event:
    """Return a complaint."""
    return Event(Kind.COMPLAINT, text, None, names)
