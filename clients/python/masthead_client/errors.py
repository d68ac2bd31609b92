"""The errors for answers of the server; errors of the network stay those of httpx."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass(frozen=True)
class FieldError:
    """A wrong field of a request."""

    path: str
    """The names of the members down to the wrong value, such as ``columns.3.field``."""
    code: str
    """The kind of the problem, such as ``too_long``."""
    message: str
    """The problem, for people."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the message, such as ``limit``."""


class MastheadError(Exception):
    """An answer with the status of an error."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        """The answer; its content is read."""
        self.status = response.status_code
        self.request_id = response.headers.get("X-Request-Id")
        """The id with which the server's log names the request."""
        self.body = _object_in(response)
        """The members of the answer; none if it is no JSON object."""
        self.message = str(self.body.get("error") or response.reason_phrase)
        """The reason, for people."""
        self.fields = tuple(_fields(self.body.get("fields")))
        """The wrong fields of the request."""
        named = f" (request {self.request_id})" if self.request_id else ""
        super().__init__(f"{self.status}: {self.message}{named}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.response,)

    @property
    def retry_after(self) -> float | None:
        """The seconds after which the request can be repeated, if the server names them."""
        return seconds_in(self.response)


class BadRequest(MastheadError):
    """400: the request is invalid, or the present state doesn't allow it."""


class Unauthorized(MastheadError):
    """401: there is no token, or it is invalid or expired."""


class Forbidden(MastheadError):
    """403: the user hasn't the permission."""


class NotFound(MastheadError):
    """404: there is no such item, or none that the client may see."""

    @property
    def moved_to(self) -> str | None:
        """The present slug of the item, if the address is a former one."""
        found = self.body.get("movedTo")
        return str(found["slug"]) if isinstance(found, dict) else None


class PreconditionFailed(MastheadError):
    """412: the item has changed since the revision that ``if_match`` names."""


class TooManyRequests(MastheadError):
    """429: there were too many attempts; ``retry_after`` has the waiting time."""


class ServerError(MastheadError):
    """5xx: the server has failed."""


class Unavailable(ServerError):
    """502, 503 and 504: the server is busy, in maintenance or not reachable by its proxy."""


class UnexpectedAnswer(MastheadError):
    """An answer that Masthead doesn't send, such as a redirect or the page of a proxy."""


_BY_STATUS: dict[int, type[MastheadError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    412: PreconditionFailed,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_of(response: httpx.Response) -> MastheadError:
    """Return the error for an answer whose content is read."""
    status = response.status_code
    if status < 400:
        return UnexpectedAnswer(response)
    return _BY_STATUS.get(status, ServerError if status >= 500 else MastheadError)(response)


def seconds_in(response: httpx.Response) -> float | None:
    """Return the seconds in the header ``Retry-After``; None without a number."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else None


def _object_in(response: httpx.Response) -> dict[str, Any]:
    try:
        found = json.loads(response.content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _fields(found: Any) -> Iterator[FieldError]:
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict):
            values = dict(each)
            path, code, message = (
                str(values.pop(name, "")) for name in ("path", "code", "message")
            )
            yield FieldError(path, code, message, values)
