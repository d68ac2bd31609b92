"""Field types: strict colander types that describe themselves in JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from datetime import datetime
from typing import Any, Self

import colander
from sqlalchemy import BigInteger, Boolean, ColumnElement, Text
from sqlalchemy.types import TypeEngine

from masthead.db import UTCDateTime, utc_text, wire_time
from masthead.errors import ProblemCode, WrongValue, problems_of
from masthead.schemas.cleaning import clean_text
from masthead.schemas.date_times import read_date_time
from masthead.schemas.email_addresses import normalize_address
from masthead.schemas.urls import is_url
from masthead.settings import Settings
from masthead.unicode.characters import SURROGATES, is_unseen, trimmed
from masthead.unicode.normalization import MOST_COMPOSED

MAX_ID = 2**63 - 1
_MAX_INT32 = 2**31 - 1
TITLE = 200
DESCRIPTION = 2_000

_WHOLE_NUMBER = re.compile(r"-?\d+", re.ASCII)
_LONGEST_NUMBER = 40


class FieldType(colander.SchemaType):  # type: ignore[misc]  # colander has no types
    """The base class of field types, which convert between JSON values and stored values."""

    column_type: TypeEngine[Any] | None = None
    """The type of the columns of ``field()``; None for a type that no column holds."""
    samples: Sequence[Any] = ()
    """Two different JSON values, for tests of the content types that use the type."""
    skips_blank = True
    """Whether a blank filter of a list is as if absent."""
    help = ""
    """The meaning of the value, for the OpenAPI document; see :meth:`described`."""
    example: Any = None
    """A JSON value as an example; None for one that follows from the type."""
    target: str | None = None
    """The name of the content type or resource whose ids it holds; None for other values."""
    widget = ""
    """The control of a form that suits the value, such as ``colour``; blank for the control of the
    base class."""

    def described(self, help: str, example: Any = None) -> Self:  # noqa: A002 - as in field()
        """Return the type with the meaning of its value, and an example.

        It is for the mappings of types that a declaration takes, such as ``shows`` of a resource.
        """
        clone = copy(self)
        clone.help, clone.example = help, example
        return clone

    def bound(self, settings: Settings) -> Self:  # noqa: ARG002 - most types use no setting
        """Return the type as configured by an instance's settings."""
        return self

    def parse(self, value: Any) -> Any:
        """Return the stored value for a JSON value; :class:`WrongValue` says why there is none."""
        raise NotImplementedError  # each type has its own

    def read(self, text: str) -> Any:
        """Return the JSON value for the text of a query parameter."""
        return text

    def dump(self, value: Any) -> Any:
        """Return the JSON value for a stored value."""
        return value

    def restore(self, value: Any) -> Any:
        """Return the stored value for a value that ``dump`` returned."""
        return value

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return an SQL expression for the JSON value of a column, by which the public reads it."""
        return column

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema (draft 2020-12) of the JSON value."""
        raise NotImplementedError  # each type has its own

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """Parse a value for colander; an absent value stays absent."""
        if cstruct is colander.null:
            return colander.null
        if cstruct is None:
            raise colander.Invalid(node, "Required")
        try:
            return self.parse(cstruct)
        except ValueError as error:
            refusal = colander.Invalid(node, str(error))
            refusal.problems = problems_of(error)
            raise refusal from None


class Str(FieldType):
    """Text in NFC, trimmed, without control characters, at most ``max_length`` characters.

    It may have several lines; use ``Line`` for titles, and ``DisplayName`` for names.
    """

    column_type = Text()

    def __init__(self, max_length: int = TITLE, *, min_length: int = 1) -> None:
        self.max_length = max_length
        self.min_length = min_length

    def parse(self, value: Any) -> str:
        # Decomposed text may be longer; far longer text isn't worth normalizing.
        if isinstance(value, str) and len(trimmed(value)) > MOST_COMPOSED * self.max_length:
            raise self._too_long()
        text = clean_text(value)
        if self.min_length and is_unseen(text):
            raise WrongValue(ProblemCode.REQUIRED, "Required")
        if len(text) > self.max_length:
            raise self._too_long()
        return text

    def _too_long(self) -> WrongValue:
        message = f"At most {self.max_length} characters"
        return WrongValue(ProblemCode.TOO_LONG, message, limit=self.max_length)

    def schema(self) -> dict[str, Any]:
        shortest = {"minLength": self.min_length} if self.min_length else {}
        return {"type": "string", **shortest, "maxLength": self.max_length}


class Choice(FieldType):
    """One of a fixed set of words."""

    column_type = Text()

    def __init__(self, *options: str) -> None:
        self.options = options

    def parse(self, value: Any) -> str:
        if value not in self.options or not isinstance(value, str):
            message = "Must be one of " + ", ".join(self.options)
            raise WrongValue(ProblemCode.NOT_AN_OPTION, message, options=self.options)
        return value

    def schema(self) -> dict[str, Any]:
        # There may be no options, such as the content types of core without plugins.
        return {"type": "string", "enum": list(self.options)} if self.options else {"not": {}}


class Int(FieldType):
    """An integer; ``true`` and ``1.0`` are refused."""

    column_type = BigInteger()

    def __init__(self, minimum: int = -MAX_ID - 1, maximum: int = MAX_ID) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def parse(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongValue(ProblemCode.NOT_AN_INTEGER, "Must be an integer")
        if not self.minimum <= value <= self.maximum:
            message = f"Must be between {self.minimum} and {self.maximum}"
            raise WrongValue(ProblemCode.OUT_OF_RANGE, message, **self._bounds())
        return value

    def read(self, text: str) -> int | str:
        if not _WHOLE_NUMBER.fullmatch(text):
            return text
        # Python doesn't read numbers of thousands of digits; all of them are out of bounds.
        value = int((text.lstrip("-0") or "0")[:_LONGEST_NUMBER])
        return -value if text.startswith("-") else value

    def schema(self) -> dict[str, Any]:
        large = {"format": "int64"} if self.maximum > _MAX_INT32 else {}
        return {"type": "integer", **large, **self._bounds()}

    def _bounds(self) -> dict[str, int]:
        """Return the bounds that are narrower than those of the database."""
        bounds = {}
        if self.minimum > -MAX_ID - 1:
            bounds["minimum"] = self.minimum
        if self.maximum < MAX_ID:
            bounds["maximum"] = self.maximum
        return bounds


class Bool(FieldType):
    """``true`` or ``false``; ``1`` and ``0`` are accepted."""

    column_type = Boolean()

    def parse(self, value: Any) -> bool:
        if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1)):
            return bool(value)
        raise WrongValue(ProblemCode.NOT_A_BOOLEAN, "Must be true or false")

    def read(self, text: str) -> bool | str:
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Timestamp(FieldType):
    """An ISO 8601 date-time; without an offset it is UTC, without a time it is midnight UTC."""

    column_type = UTCDateTime()

    def parse(self, value: Any) -> datetime:
        text = value.strip() if isinstance(value, str) else ""
        try:
            return read_date_time(text)
        except ValueError as error:
            raise WrongValue(ProblemCode.NOT_A_DATE_TIME, str(error)) from None

    def dump(self, value: datetime | str) -> str:
        if isinstance(value, str):
            return value
        return utc_text(value)

    def restore(self, value: str) -> datetime:
        return datetime.fromisoformat(value)

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return wire_time(column)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}


class Url(FieldType):
    """An ``http``, ``https`` or ``mailto`` address, or a path with exactly one leading slash.

    Use ``mailto=False`` for addresses of resources that can be fetched, such as images.
    """

    column_type = Text()

    def __init__(self, *, mailto: bool = True) -> None:
        self.mailto = mailto

    def parse(self, value: Any) -> str:
        text = Str(DESCRIPTION).parse(value)
        if not self.mailto and text[:7].lower() == "mailto:":
            raise WrongValue(
                ProblemCode.NOT_AN_ADDRESS, "Must be an http or https address, or a path"
            )
        if not is_url(text):
            raise WrongValue(
                ProblemCode.NOT_AN_ADDRESS, "Must be an http, https or mailto address, or a path"
            )
        return text

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "format": "uri-reference",
            "minLength": 1,
            "maxLength": DESCRIPTION,
        }


class Email(FieldType):
    """An e-mail address (RFC 5321 lengths, IDN domains), lowercased; without a DNS look-up."""

    column_type = Text()

    def parse(self, value: Any) -> str:
        return normalize_address(Str(TITLE).parse(value))

    def schema(self) -> dict[str, Any]:
        # Not "email", as the domain may have letters of any script.
        return {"type": "string", "format": "idn-email", "maxLength": TITLE}


class Password(FieldType):
    """A password, unchanged; its length is checked where it is set."""

    def parse(self, value: Any) -> str:
        if not isinstance(value, str):
            raise WrongValue(ProblemCode.NOT_A_STRING, "Must be a string")
        if not value:
            raise WrongValue(ProblemCode.REQUIRED, "Required")
        if SURROGATES.search(value):
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, "Must not contain lone surrogates")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "password"}


class Anything(FieldType):
    """A JSON object without a fixed schema."""

    def parse(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}
