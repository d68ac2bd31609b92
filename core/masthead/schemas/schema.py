"""Schemas of bodies, queries and responses: named fields, each with a field type.

One declaration validates requests, serialises responses and is described in OpenAPI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Self

import colander

from masthead.errors import Invalid, StartError
from masthead.schemas.field_types import (
    Anything,
    Bool,
    Choice,
    Email,
    FieldType,
    Html,
    Str,
    Url,
    is_blank,
)
from masthead.schemas.language_tags import LanguageTag
from masthead.settings import Settings


class Nullable(FieldType):
    """A field type that also accepts null, which becomes ``empty``, and blank text.

    :param strict: whether blank text is refused where it is no text: a form may leave a time blank
        that it creates, but a change must not clear it unnoticed.
    """

    def __init__(self, inner: FieldType, empty: Any = None, *, strict: bool = False) -> None:
        self.inner = inner
        self.empty = empty
        self.strict = strict

    def bound(self, settings: Settings) -> Self:
        clone = copy(self)
        clone.inner = self.inner.bound(settings)
        return clone

    def parse(self, value: Any) -> Any:
        """Return ``empty`` for null and keep blank text and HTML; parse all other values."""
        if value is None:
            return self.empty
        if self.empty is None and is_blank(value) and (not self.strict or self._holds_text):
            return "" if isinstance(self.inner, Str | Html) else None
        if isinstance(self.inner, Html):
            return self.inner.cleaned(value)
        return self.inner.parse(value)

    @property
    def _holds_text(self) -> bool:
        return isinstance(self.inner, Str | Html | Choice | Email | Url | LanguageTag)

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        return self.parse(None) if cstruct is None else super().deserialize(node, cstruct)

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


class ListOf(FieldType):
    """An array of one field type; ``unique`` drops repeated elements.

    Raises StartError for unique arrays or objects.
    """

    def __init__(self, inner: FieldType, *, max_length: int = 10_000, unique: bool = False) -> None:
        compared = inner.inner if isinstance(inner, Nullable) else inner
        if unique and isinstance(compared, ListOf | Object | Anything):
            raise StartError("ListOf() can't compare arrays or objects, so they can't be unique")
        self.inner = inner
        self.max_length = max_length
        self.unique = unique

    def bound(self, settings: Settings) -> Self:
        clone = copy(self)
        clone.inner = self.inner.bound(settings)
        return clone

    def parse(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("Must be an array")
        if len(value) > self.max_length:
            raise ValueError(f"At most {self.max_length} elements")
        parsed = [self.inner.parse(each) for each in value]
        return list(dict.fromkeys(parsed)) if self.unique else parsed

    def dump(self, value: Iterable[Any]) -> list[Any]:
        return [self.inner.dump(each) for each in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema()}


class Object(FieldType):
    """A JSON object with the fields of a schema."""

    def __init__(self, node: colander.SchemaNode) -> None:
        self.node = node

    def bound(self, settings: Settings) -> Self:
        clone = copy(self)
        clone.node = bound(self.node, settings)
        return clone

    def parse(self, value: Any) -> dict[str, Any]:
        try:
            return load(self.node, value)
        except Invalid as error:
            # As a ValueError, so that the message also names the field with the object.
            raise ValueError(error.message) from None

    def dump(self, value: Any) -> dict[str, Any]:
        return dump(self.node, value)

    def schema(self) -> dict[str, Any]:
        return json_schema(self.node)


class PartsOf(FieldType):
    """The object of another field type, or only those of its fields that a client asks for."""

    def __init__(self, whole: Object) -> None:
        self.whole = whole

    def dump(self, value: Any) -> dict[str, Any]:
        return self.whole.dump(value)

    def schema(self) -> dict[str, Any]:
        whole = self.whole.schema()
        return {"anyOf": [whole, {name: whole[name] for name in whole if name != "required"}]}


Schema = colander.Schema


def required(kind: FieldType, *, nullable: bool = False) -> colander.SchemaNode:
    """Return a field that is always present.

    :param nullable: whether it may be null; otherwise a body may not leave it blank.
    """
    return colander.SchemaNode(Nullable(kind, strict=True) if nullable else kind)


def optional(kind: FieldType, empty: Any = None, *, nullable: bool = True) -> colander.SchemaNode:
    """Return a field that may be absent.

    :param empty: the value that null means.
    :param nullable: whether it may be null, which clears it.
    """
    return colander.SchemaNode(Nullable(kind, empty) if nullable else kind, missing=colander.drop)


def schema(fields: Mapping[str, colander.SchemaNode]) -> colander.SchemaNode:
    """Return a schema with these fields."""
    node = colander.SchemaNode(colander.Mapping(unknown="ignore"))
    for name, child in fields.items():
        named = child.clone()
        named.name = name
        node.add(named)
    return node


SUCCESS = schema({"success": required(Bool())})
"""The response ``{"success": true}``."""


def partial(node: colander.SchemaNode) -> colander.SchemaNode:
    """Return a copy of the schema with every field optional, for updates."""
    clone = node.clone()
    for child in clone.children:
        child.missing = colander.drop
    return clone


def bound(node: colander.SchemaNode, settings: Settings) -> colander.SchemaNode:
    """Return a copy of the schema with its types configured by an instance's settings."""
    clone = node.clone()
    for child in clone.children:
        child.typ = child.typ.bound(settings)
    return clone


def strict(node: colander.SchemaNode) -> colander.SchemaNode:
    """Return a copy of the schema whose fields other than text refuse blank text, for changes."""
    clone = node.clone()
    for child in clone.children:
        if isinstance(child.typ, Nullable):
            child.typ = copy(child.typ)
            child.typ.strict = True
    return clone


def extended(
    node: colander.SchemaNode, fields: Mapping[str, colander.SchemaNode]
) -> colander.SchemaNode:
    """Return a copy of the schema with additional fields."""
    clone = node.clone()
    for child in schema(fields).children:
        clone.add(child)
    return clone


def load(node: colander.SchemaNode, value: Any) -> dict[str, Any]:
    """Validate a JSON object against a schema.

    :returns: the stored values of the sent fields, by wire name.
    :raises Invalid: with the name of each wrong field.
    """
    if not isinstance(value, Mapping):
        raise Invalid("Must be an object")
    try:
        loaded: dict[str, Any] = node.deserialize(dict(value))
    except colander.Invalid as error:
        raise Invalid("; ".join(f"{k}: {v}" for k, v in error.asdict().items())) from None
    return loaded


def load_query(
    node: colander.SchemaNode, sent: Mapping[str, str], *, skip_blank: bool = False
) -> dict[str, Any]:
    """Validate the query parameters of a schema; others are ignored.

    :param skip_blank: whether blank parameters are as if absent, as filters of lists are.
    :raises Invalid: with the name of each wrong parameter.
    """
    texts = {c.name: sent[c.name] for c in node.children if c.name in sent}
    known = {
        c.name: c.typ.read(texts[c.name])
        for c in node.children
        if c.name in texts and not (skip_blank and c.typ.skips_blank and _is_blank(texts[c.name]))
    }
    return load(node, known)


def _is_blank(text: str) -> bool:
    """Whether it consists of blanks only; a search for an invisible character finds nothing."""
    return is_blank(text) and not text.strip()


def dump(node: colander.SchemaNode, value: Any) -> dict[str, Any]:
    """Return a JSON object with the fields of a schema, from a mapping by wire name or an object.

    The attributes of an object have the names of the fields, in snake case.
    """
    if isinstance(value, Mapping):
        return {c.name: c.typ.dump(value[c.name]) for c in node.children if c.name in value}
    return {c.name: c.typ.dump(getattr(value, snake_case(c.name))) for c in node.children}


def json_schema(node: colander.SchemaNode) -> dict[str, Any]:
    """Return the JSON Schema of a schema."""
    described: dict[str, Any] = {
        "type": "object",
        "properties": {child.name: child.typ.schema() for child in node.children},
    }
    needed = [child.name for child in node.children if child.required]
    if needed:
        described["required"] = needed
    return described


def snake_case(name: str) -> str:
    """Return the name of the attribute, ``image_url``, for ``imageUrl`` on the wire."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def camel_case(name: str) -> str:
    """Return the name on the wire, ``imageUrl``, for the attribute ``image_url``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
