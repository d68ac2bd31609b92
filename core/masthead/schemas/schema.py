"""Schemas of bodies, queries and responses: named fields, each with a field type.

One declaration validates requests, serialises responses and is described in OpenAPI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, Self

import colander
from sqlalchemy import JSON, ColumnElement

from masthead.errors import (
    Invalid,
    Problem,
    ProblemCode,
    StartError,
    WrongValue,
    problems_of,
)
from masthead.schemas.cases import snake_case
from masthead.schemas.cleaning import is_blank
from masthead.schemas.field_types import Anything, Bool, Choice, Email, FieldType, Str, Url
from masthead.schemas.html_type import Html
from masthead.schemas.language_tags import LanguageTag
from masthead.settings import Settings

_MOST_PROBLEMS = 100
"""The number of problems after which the rest of an array isn't looked at."""
_TYPE_NAME = re.compile(r"[A-Za-z0-9]*")


class Nullable(FieldType):
    """A field type that also accepts null, which becomes ``empty``, and blank text.

    :param strict: whether blank text is refused where it is no text: a form may leave a time blank
        that it creates, but a change must not clear it unnoticed.
    """

    def __init__(self, inner: FieldType, empty: Any = None, *, strict: bool = False) -> None:
        self.inner = inner
        self.help, self.example = inner.help, inner.example
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

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return self.inner.wire(column)

    def schema(self) -> dict[str, Any]:
        inner = self.inner.schema()
        inner.pop("minLength", None)  # Blank text is accepted.
        if "enum" in inner:
            return {**inner, "type": [inner["type"], "null"], "enum": [*inner["enum"], None]}
        if isinstance(inner.get("type"), str):
            return {**inner, "type": [inner["type"], "null"]}
        return {"anyOf": [inner, {"type": "null"}]}


class ListOf(FieldType):
    """An array of one field type; ``unique`` drops repeated elements.

    Raises StartError for unique arrays or objects.
    """

    column_type = JSON(none_as_null=True)

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
            raise WrongValue(ProblemCode.NOT_AN_ARRAY, "Must be an array")
        if len(value) > self.max_length:
            message = f"At most {self.max_length} elements"
            raise WrongValue(ProblemCode.TOO_MANY, message, limit=self.max_length)
        parsed = self._parse_elements(value)
        return list(dict.fromkeys(parsed)) if self.unique else parsed

    def _parse_elements(self, value: list[Any]) -> list[Any]:
        parsed, first, problems = [], "", []
        for index, each in enumerate(value):
            try:
                parsed.append(self.inner.parse(each))
            except ValueError as error:
                first = first or str(error)
                problems += [problem.within(str(index)) for problem in problems_of(error)]
                if len(problems) >= _MOST_PROBLEMS:
                    break
        if problems:
            raise WrongValue.inside(first, problems)
        return parsed

    def dump(self, value: Iterable[Any]) -> list[Any]:
        return [self.inner.dump(each) for each in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema(), "maxItems": self.max_length}


class Object(FieldType):
    """A JSON object with the fields of a schema."""

    column_type = JSON(none_as_null=True)

    def __init__(self, node: colander.SchemaNode) -> None:
        self.node = node

    def bound(self, settings: Settings) -> Self:
        clone = copy(self)
        clone.node = bound(self.node, settings)
        return clone

    def parse(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise WrongValue(ProblemCode.NOT_AN_OBJECT, "Must be an object")
        try:
            return load(self.node, value)
        except Invalid as error:
            # As a ValueError, so that the message also names the field with the object.
            raise WrongValue.inside(error.message, error.problems) from None

    def dump(self, value: Any) -> dict[str, Any]:
        return dump(self.node, value)

    def schema(self) -> dict[str, Any]:
        return json_schema(self.node)


Schema = colander.Schema


def required(
    kind: FieldType,
    *,
    nullable: bool = False,
    help: str = "",  # noqa: A002 - as in field()
    example: Any = None,
) -> colander.SchemaNode:
    """Return a field that is always present.

    :param nullable: whether it may be null; otherwise a body may not leave it blank.
    :param help: the meaning of the value, for the OpenAPI document.
    :param example: a JSON value as an example.
    """
    nullable_kind = Nullable(kind, strict=True) if nullable else kind
    return colander.SchemaNode(nullable_kind, description=help, example=example)


def optional(
    kind: FieldType,
    empty: Any = None,
    *,
    nullable: bool = True,
    help: str = "",  # noqa: A002 - as in field()
    example: Any = None,
) -> colander.SchemaNode:
    """Return a field that may be absent.

    :param empty: the value that null means.
    :param nullable: whether it may be null, which clears it.
    :param help: the meaning of the value, for the OpenAPI document.
    :param example: a JSON value as an example.
    """
    return colander.SchemaNode(
        Nullable(kind, empty) if nullable else kind,
        missing=colander.drop,
        description=help,
        example=example,
    )


def schema(
    fields: Mapping[str, colander.SchemaNode],
    *,
    name: str = "",
    help: str = "",  # noqa: A002 - as in field()
) -> colander.SchemaNode:
    """Return a schema with these fields.

    :param name: its name in the OpenAPI document, such as ``NewsArticle``; by default, the name
        follows from the place where it is used.
    :param help: the meaning of an object with these fields.
    """
    node = named(colander.SchemaNode(colander.Mapping(unknown="ignore")), name, help)
    for child_name, child in fields.items():
        copied = child.clone()
        copied.name = child_name
        node.add(copied)
    return node


def named(
    node: colander.SchemaNode,
    name: str,
    help: str = "",  # noqa: A002 - as in field()
) -> colander.SchemaNode:
    """Return a copy of a schema with another name and meaning; see :func:`schema`.

    :raises StartError: for a name that the OpenAPI document can't have.
    """
    if not _TYPE_NAME.fullmatch(name):
        raise StartError(f"{name!r} is no name for a schema: use letters and digits")
    clone = node.clone()
    clone.type_name, clone.description = name, help
    return clone


DONE = required(Bool(), help="Always true; an error has another answer.")
"""The field ``success`` of an answer."""
SUCCESS = schema({"success": DONE}, name="Success", help="The operation is done.")
"""The response ``{"success": true}``."""


def partial(node: colander.SchemaNode) -> colander.SchemaNode:
    """Return a copy of the schema with every field optional and without its name, for updates."""
    clone = named(node, "")
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
    node: colander.SchemaNode,
    fields: Mapping[str, colander.SchemaNode],
    *,
    name: str = "",
    help: str = "",  # noqa: A002 - as in field()
) -> colander.SchemaNode:
    """Return a copy of the schema with additional fields, and with a name of its own."""
    clone = named(node, name, help)
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
        text = "; ".join(f"{k}: {v}" for k, v in error.asdict().items())
        raise Invalid(text, *_problems_in(error)) from None
    return loaded


def _problems_in(error: colander.Invalid) -> Iterator[Problem]:
    """Yield the problems of the fields of an object."""
    for child in error.children:
        # Colander itself refuses an absent field.
        missing = (Problem("", ProblemCode.REQUIRED, "Required"),)
        for problem in getattr(child, "problems", missing):
            yield problem.within(child.node.name)


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
    """Return the JSON Schema of a schema, whose title is the name of the schema."""
    described: dict[str, Any] = {"title": name} if (name := getattr(node, "type_name", "")) else {}
    if node.description:
        described["description"] = node.description
    described["type"] = "object"
    described["properties"] = {child.name: _property(child) for child in node.children}
    needed = [child.name for child in node.children if child.required]
    if needed:
        described["required"] = needed
    return described


def _property(child: colander.SchemaNode) -> dict[str, Any]:
    kind = child.typ.schema()
    described: dict[str, Any] = {"description": help_of(child)} if help_of(child) else {}
    example = example_of(child)
    if example is not None:
        described["examples"] = [example]
    # An object keeps its own description.
    return (
        {"allOf": [kind], **described}
        if described and "properties" in kind
        else {**kind, **described}
    )


def help_of(child: colander.SchemaNode) -> str:
    """Return the meaning of a field, declared with the field or its type; blank for none."""
    help_text: str = child.description or child.typ.help
    return help_text


def example_of(child: colander.SchemaNode) -> Any:
    """Return the declared example of a field or its type; None for none."""
    own = getattr(child, "example", None)
    return child.typ.example if own is None else own
