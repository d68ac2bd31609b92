"""Exceptions: refusals of requests, and errors that stop a command or the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import Any

CHANGED = "The item has changed since it was read"


class ProblemCode(StrEnum):
    """The codes of problems, by which clients translate them; a released code never changes."""

    REQUIRED = "required"
    INVALID = "invalid"
    NOT_A_STRING = "not_a_string"
    NOT_AN_INTEGER = "not_an_integer"
    NOT_A_NUMBER = "not_a_number"
    NOT_A_BOOLEAN = "not_a_boolean"
    NOT_AN_ARRAY = "not_an_array"
    NOT_AN_OBJECT = "not_an_object"
    NOT_AN_OPTION = "not_an_option"
    NOT_A_DATE = "not_a_date"
    NOT_A_DATE_TIME = "not_a_date_time"
    NOT_AN_EMAIL = "not_an_email"
    NOT_AN_ADDRESS = "not_an_address"
    NOT_A_LANGUAGE = "not_a_language"
    NOT_A_TIME_ZONE = "not_a_time_zone"
    NOT_AN_IMAGE = "not_an_image"
    TOO_LONG = "too_long"
    TOO_SHORT = "too_short"
    TOO_MANY = "too_many"
    TOO_FEW = "too_few"
    TOO_COMPLEX = "too_complex"
    OUT_OF_RANGE = "out_of_range"
    FORBIDDEN_CHARACTERS = "forbidden_characters"
    WRONG_FORM = "wrong_form"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 - it is a code
    UNKNOWN_ID = "unknown_id"
    UNKNOWN_NAME = "unknown_name"
    ALREADY_EXISTS = "already_exists"
    REPEATED = "repeated"
    CONFLICTING = "conflicting"
    NOT_ALLOWED = "not_allowed"
    CHANGED = "changed"
    KEY_REUSED = "key_reused"


@dataclass(frozen=True)
class Problem:
    """A wrong field of a request, as the answer describes it to programs."""

    path: str
    """The names of the members from the body to the value, and indexes from 0, joined by dots:
    ``mission.content``, ``columns.3.field``; or the name of the parameter or the form's field."""
    code: ProblemCode
    message: str
    """The text for humans, without the name of the field."""
    limits: Mapping[str, Any] = dataclass_field(default_factory=dict)
    """Values in the message: ``limit``, ``minimum``, ``maximum`` or ``options``."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def within(self, name: str) -> Problem:
        """Return the problem as one of the object or the array with this name."""
        return replace(self, path=f"{name}.{self.path}" if self.path else name)

    def described(self) -> dict[str, Any]:
        """Return the JSON object for the client."""
        own = {"path": self.path, "code": str(self.code), "message": self.message}
        return {**own, **self.limits}


class WrongValue(ValueError):
    """A field type refuses a value; any other ValueError is a problem with the code ``invalid``.

    :param limits: see :attr:`Problem.limits`.
    """

    def __init__(self, code: ProblemCode, message: str, **limits: Any) -> None:
        super().__init__(message)
        self.problems: tuple[Problem, ...] = (Problem("", code, message, limits),)

    @classmethod
    def inside(cls, message: str, problems: Iterable[Problem]) -> WrongValue:
        """Return the refusal of an object or array because of values inside."""
        error = cls(ProblemCode.INVALID, message)
        error.problems = tuple(problems)
        return error


def problems_of(error: ValueError) -> tuple[Problem, ...]:
    """Return the problems of a value that a field type has refused."""
    if isinstance(error, WrongValue):
        return error.problems
    return (Problem("", ProblemCode.INVALID, str(error)),)


class StartError(Exception):
    """A start or a command fails; the text is one line for a terminal."""

    exit_status = 1
    """The exit status of the command."""


class WrongConfiguration(StartError):
    """The configuration file, a setting or a plugin can't be used; a new start fails as well."""


class Refusal(Exception):
    """A request is refused; the text is the message for the client.

    Services raise it; ``masthead.http.refusals`` turns it into ``{"error": message}``.
    """

    status = 400

    def __init__(self, message: str, *problems: Problem) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems
        self.details: dict[str, Any] = {}
        """Further members of the answer."""
        self.is_recorded = False
        """Whether the transaction is committed nevertheless, with the record of the refusal."""


class Invalid(Refusal):
    """The request is invalid: a field, a parameter or the body."""


def wrong_field(
    path: str, code: ProblemCode, message: str, *, named: bool = True, **limits: Any
) -> Invalid:
    """Return the refusal of a request because of one field.

    :param path: see :attr:`Problem.path`.
    :param message: the text for humans, without the name of the field.
    :param named: whether the text of the answer begins with the path.
    :param limits: see :attr:`Problem.limits`.
    """
    text = f"{path}: {message}" if named else message
    return Invalid(text, Problem(path, code, message, limits))


class Refused(Refusal):
    """The request is valid, but the current state or a hook doesn't allow it."""


class Unauthenticated(Refusal):
    """The caller is not authenticated."""

    status = 401

    def __init__(self, message: str = "Unauthorized") -> None:
        super().__init__(message)


class Forbidden(Refusal):
    """The caller lacks the permission."""

    status = 403

    def __init__(self, message: str = "Forbidden") -> None:
        super().__init__(message)


class NotFound(Refusal):
    """The item doesn't exist, or the caller may not see it."""

    status = 404

    def __init__(self, message: str = "Not found") -> None:
        super().__init__(message)


class Moved(NotFound):
    """The item has another slug now."""

    def __init__(self, slug: str, path: str, url: str) -> None:
        super().__init__()
        self.details = {"movedTo": {"slug": slug, "path": path, "url": url}}


class Gone(Refusal):
    """It was there, and is deleted for good (RFC 9110 section 15.5.11)."""

    status = 410


class Stale(Refusal):
    """``If-Match`` doesn't match the stored revision (RFC 9110 section 13.1.1)."""

    status = 412

    def __init__(self, message: str = CHANGED) -> None:
        super().__init__(message)


class RetryLater(Refusal):
    """The same request may succeed later; ``retry_after`` is in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooMany(RetryLater):
    """The rate limit is exceeded (RFC 6585 section 4)."""

    status = 429


class Busy(RetryLater):
    """The server can't do the work now (RFC 9110 section 15.6.4)."""

    status = 503
