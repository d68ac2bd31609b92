"""Schemas of bodies, queries and answers: strict colander types that know their JSON Schema.

One declaration checks what comes in, serialises what goes out, and describes itself in OpenAPI.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import colander
import email_validator

from masthead import html
from masthead.db import utc_text
from masthead.errors import Invalid
from masthead.settings import Setting, words

MAX_ID = 2**63 - 1
TITLE = 200
DESCRIPTION = 2_000
HTML_BYTES = 1024 * 1024

EMBED_HOSTS = Setting(
    "masthead.html.embed_hosts",
    words,
    " ".join(html.DEFAULT_EMBED_HOSTS),
    "Hosts whose players and maps may stand in content as embedded frames.",
)

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_DATE = r"(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}-?W\d{2}-?\d)"
_TIME = r"(?:[01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?"
_TIMESTAMP = re.compile(rf"{_DATE}(?:[Tt ]{_TIME}(?:[Zz]|[+-]\d{{2}}(?::?\d{{2}})?)?)?\Z", re.ASCII)
_URL = re.compile(r"(?:https?://[^/?#]|mailto:[^?]|/(?!/))[^\s\\]*\Z|/\Z", re.IGNORECASE)


class Kind(colander.SchemaType):  # type: ignore[misc]  # colander has no types
    """A kind of value on the wire."""

    def parse(self, value: Any) -> Any:
        """The value to store for a JSON value; ``ValueError`` says what is wrong."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """The JSON value that ``text`` of a query string stands for."""
        return text

    def dump(self, value: Any) -> Any:
        """The JSON value for a stored value."""
        return value

    def restore(self, value: Any) -> Any:
        """The stored value for what ``dump`` made of it."""
        return value

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (draft 2020-12) of the JSON value."""
        raise NotImplementedError

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """What colander calls; an absent value stays absent."""
        if cstruct is colander.null:
            return colander.null
        if cstruct is None:
            raise colander.Invalid(node, "Required")
        try:
            return self.parse(cstruct)
        except ValueError as error:
            raise colander.Invalid(node, str(error)) from None


class Str(Kind):
    """Text in NFC, trimmed, without control characters, at most ``most`` characters."""

    def __init__(self, most: int = TITLE, *, least: int = 1) -> None:
        self.most = most
        self.least = least

    def parse(self, value: Any) -> str:
        text = clean_text(value)
        if not text and self.least:
            raise ValueError("Required")
        if len(text) > self.most:
            raise ValueError(f"At most {self.most} characters")
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most}


class Choice(Kind):
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def parse(self, value: Any) -> str:
        if value not in self.options or not isinstance(value, str):
            raise ValueError("Must be one of " + ", ".join(self.options))
        return value

    def schema(self) -> dict[str, Any]:
        # Without options, as the content types of core alone, no word fits.
        return {"type": "string", "enum": list(self.options)} if self.options else {"not": {}}


class Int(Kind):
    """A whole number; ``true`` and ``1.0`` are none."""

    def __init__(self, least: int = -MAX_ID - 1, most: int = MAX_ID) -> None:
        self.least = least
        self.most = most

    def parse(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError("Must be an integer")
        if not self.least <= value <= self.most:
            raise ValueError(f"Must be between {self.least} and {self.most}")
        return value

    def read(self, text: str) -> int | str:
        return int(text) if re.fullmatch(r"-?\d{1,19}", text, re.ASCII) else text

    def schema(self) -> dict[str, Any]:
        bounds: dict[str, Any] = {"type": "integer"}
        if self.least > -MAX_ID - 1:
            bounds["minimum"] = self.least
        if self.most < MAX_ID:
            bounds["maximum"] = self.most
        return bounds


class Bool(Kind):
    """``true`` or ``false``; ``1`` and ``0`` are accepted."""

    def parse(self, value: Any) -> bool:
        if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1)):
            return bool(value)
        raise ValueError("Must be true or false")

    def read(self, text: str) -> bool | str:
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Timestamp(Kind):
    """An ISO 8601 date-time; UTC where it names no offset, midnight UTC where it has no time."""

    def parse(self, value: Any) -> datetime:
        if not isinstance(value, str) or not _TIMESTAMP.match(value.strip()):
            raise ValueError("Must be an ISO 8601 date-time")
        try:
            moment = datetime.fromisoformat(value.strip().upper())
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            raise ValueError("Must be an ISO 8601 date-time that exists") from None
        return moment - timedelta(microseconds=moment.microsecond % 1000)

    def dump(self, value: datetime | str) -> str:
        if isinstance(value, str):
            return value
        return utc_text(value)

    def restore(self, value: str) -> datetime:
        return datetime.fromisoformat(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}


class Url(Kind):
    """An ``http``, ``https`` or ``mailto`` address, or a path with exactly one leading slash."""

    def parse(self, value: Any) -> str:
        text = Str(DESCRIPTION).parse(value)
        if not _URL.match(text):
            raise ValueError("Must be an http, https or mailto address, or a path")
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": DESCRIPTION}


class Email(Kind):
    """An e-mail address (RFC 5321 lengths, IDN domains allowed), lowercased; no DNS look-up."""

    def parse(self, value: Any) -> str:
        text = Str(TITLE).parse(value)
        try:
            found = email_validator.validate_email(
                text, check_deliverability=False, test_environment=True
            )
        except email_validator.EmailNotValidError:
            raise ValueError("Must be an e-mail address") from None
        return found.normalized.lower()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": TITLE}


class Html(Kind):
    """HTML, sanitised (``masthead.html.clean``), at most ``most`` bytes as UTF-8."""

    def __init__(self, most: int = HTML_BYTES) -> None:
        self.most = most

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """Sanitise with the embed hosts of the settings that the schema is bound to."""
        if not isinstance(cstruct, str):
            return super().deserialize(node, cstruct)
        try:
            return self._clean(cstruct, node.bindings["settings"][EMBED_HOSTS])
        except ValueError as error:
            raise colander.Invalid(node, str(error)) from None

    def parse(self, value: Any) -> str:
        return self._clean(value, ())

    def _clean(self, value: Any, hosts: Sequence[str]) -> str:
        text = clean_text(value)
        if len(text.encode()) > self.most:
            raise ValueError(f"At most {self.most} bytes")
        cleaned = _CONTROLS.sub("", html.clean(text, hosts)).strip()
        # Entities can stand for characters that NFC composes, even with a bracket of markup
        # ("&#x338;" after ">"): what is normalised again must be cleaned again.
        return cleaned if unicodedata.is_normalized("NFC", cleaned) else self._clean(cleaned, hosts)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "contentMediaType": "text/html"}


class Password(Kind):
    """A password, taken as sent; its length is judged where it is set."""

    def parse(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("Must be a string")
        if not value:
            raise ValueError("Required")
        if _SURROGATES.search(value):
            raise ValueError("Must not contain lone surrogates")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "password"}


class Anything(Kind):
    """A JSON object of no fixed shape."""

    def parse(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class Nullable(Kind):
    """Another kind, or null; text may be blank too."""

    def __init__(self, inner: Kind) -> None:
        self.inner = inner

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """Null is None and blank text is kept; the rest is the inner kind's business."""
        if cstruct is None:
            return None
        if isinstance(cstruct, str) and not cstruct.strip():
            return "" if isinstance(self.inner, Str | Html) else None
        return self.inner.deserialize(node, cstruct)

    def read(self, text: str) -> Any:
        return self.inner.read(text)

    def dump(self, value: Any) -> Any:
        return None if value is None else self.inner.dump(value)

    def restore(self, value: Any) -> Any:
        return None if value is None else self.inner.restore(value)

    def schema(self) -> dict[str, Any]:
        inner = self.inner.schema()
        if "enum" in inner:
            return {**inner, "type": [inner["type"], "null"], "enum": [*inner["enum"], None]}
        if isinstance(inner.get("type"), str):
            return {**inner, "type": [inner["type"], "null"]}
        return {"anyOf": [inner, {"type": "null"}]}


class ListOf(Kind):
    """An array of one kind; ``unique`` drops what is said twice."""

    def __init__(self, inner: Kind, *, most: int = 10_000, unique: bool = False) -> None:
        self.inner = inner
        self.most = most
        self.unique = unique

    def parse(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("Must be an array")
        if len(value) > self.most:
            raise ValueError(f"At most {self.most} elements")
        parsed = [self.inner.parse(each) for each in value]
        return list(dict.fromkeys(parsed)) if self.unique else parsed

    def dump(self, value: Iterable[Any]) -> list[Any]:
        return [self.inner.dump(each) for each in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema()}


class Object(Kind):
    """A JSON object with the fields of a schema."""

    def __init__(self, node: colander.SchemaNode) -> None:
        self.node = node

    def parse(self, value: Any) -> dict[str, Any]:
        return load(self.node, value)

    def dump(self, value: Any) -> dict[str, Any]:
        return dump(self.node, value)

    def schema(self) -> dict[str, Any]:
        return json_schema(self.node)


Schema = colander.Schema


def required(kind: Kind) -> colander.SchemaNode:
    """A field that must be sent, neither null nor blank."""
    return colander.SchemaNode(kind)


def optional(kind: Kind) -> colander.SchemaNode:
    """A field that may be left out; null clears it."""
    return colander.SchemaNode(Nullable(kind), missing=colander.drop)


def maybe(kind: Kind) -> colander.SchemaNode:
    """A field that may be left out, but not null."""
    return colander.SchemaNode(kind, missing=colander.drop)


def nullable(kind: Kind) -> colander.SchemaNode:
    """A field that is always there, and may be null."""
    return colander.SchemaNode(Nullable(kind))


def schema(fields: Mapping[str, colander.SchemaNode]) -> colander.SchemaNode:
    """A schema made of named fields."""
    node = colander.SchemaNode(colander.Mapping(unknown="ignore"))
    for name, child in fields.items():
        named = child.clone()
        named.name = name
        node.add(named)
    return node


def partial(node: colander.SchemaNode) -> colander.SchemaNode:
    """The same schema with every field optional, as an update takes it."""
    clone = node.clone()
    for child in clone.children:
        child.missing = colander.drop
    return clone


def load(node: colander.SchemaNode, value: Any) -> dict[str, Any]:
    """Check a JSON object against a schema.

    :returns: the fields that were sent, as stored values, by wire name.
    :raises Invalid: naming each field that is wrong.
    """
    if not isinstance(value, Mapping):
        raise Invalid("Must be an object")
    try:
        loaded: dict[str, Any] = node.deserialize(dict(value))
    except colander.Invalid as error:
        raise Invalid("; ".join(f"{k}: {v}" for k, v in error.asdict().items())) from None
    return loaded


def load_query(node: colander.SchemaNode, sent: Mapping[str, str]) -> dict[str, Any]:
    """Check the query parameters that a schema knows; the others are ignored.

    :raises Invalid: naming each parameter that is wrong.
    """
    known = {c.name: c.typ.read(sent[c.name]) for c in node.children if c.name in sent}
    return load(node, known)


def dump(node: colander.SchemaNode, value: Any) -> dict[str, Any]:
    """The JSON object with the fields of a schema, from a mapping by wire name or an object.

    An object's attributes are named as the fields are, in snake case.
    """
    if isinstance(value, Mapping):
        return {c.name: c.typ.dump(value[c.name]) for c in node.children if c.name in value}
    return {c.name: c.typ.dump(getattr(value, snake_case(c.name))) for c in node.children}


def json_schema(node: colander.SchemaNode) -> dict[str, Any]:
    """The JSON Schema of a schema's object."""
    described: dict[str, Any] = {
        "type": "object",
        "properties": {child.name: child.typ.schema() for child in node.children},
    }
    needed = [child.name for child in node.children if child.required]
    if needed:
        described["required"] = needed
    return described


def snake_case(name: str) -> str:
    """``imageUrl`` as an attribute: ``image_url``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def camel_case(name: str) -> str:
    """``image_url`` on the wire: ``imageUrl``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def clean_text(value: Any) -> str:
    """Text in NFC, trimmed.

    :raises ValueError: when it is no text, or has control characters or lone surrogates.
    """
    if not isinstance(value, str):
        raise ValueError("Must be a string")
    if _CONTROLS.search(value):
        raise ValueError("Must not contain control characters")
    if _SURROGATES.search(value):
        raise ValueError("Must not contain lone surrogates")
    return unicodedata.normalize("NFC", value).strip()
