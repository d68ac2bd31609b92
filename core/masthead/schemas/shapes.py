"""The shapes of answers that a statement reads: the fields, each with its expression.

A shape is built once. A request executes its statement and turns the rows into dictionaries,
without creating objects of a model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import colander
import orjson
from sqlalchemy import (
    JSON,
    Boolean,
    ColumnElement,
    Text,
    case,
    cast,
    false,
    func,
    literal,
    select,
    true,
)
from sqlalchemy.sql.selectable import Select

from masthead.schemas.field_types import FieldType
from masthead.schemas.schema import Object, required, schema

_AT_ONCE = 50
"""The members of a JSON object that one function of the database takes: 100 arguments."""


@dataclass(frozen=True)
class Column:
    """One field of an answer."""

    name: str
    """The wire name."""
    expression: ColumnElement[Any]
    kind: FieldType
    """The type of its value, for OpenAPI."""
    is_json: bool = False
    """Whether the expression's value is JSON text."""
    is_joined: bool = False
    """Whether it comes from rows that change apart from the item, so that it isn't stored."""
    is_looked_up: bool = False
    """Whether the statement reads null, and the value is looked up for all items at once."""

    def as_json(self, dialect: str) -> ColumnElement[Any]:
        """Return the expression as an argument of the database's JSON functions."""
        if self.is_json:
            is_sqlite = dialect == "sqlite"
            return func.json(self.expression) if is_sqlite else cast(self.expression, JSON)
        if isinstance(self.expression.type, JSON) and dialect == "sqlite":
            return func.json(self.expression)
        if isinstance(self.expression.type, Boolean) and dialect == "sqlite":
            # On SQLite, booleans are numbers.
            truth = case((self.expression == true(), "true"), (self.expression == false(), "false"))
            return func.json(truth)
        return self.expression


class Shape:
    """The fields of one kind of answer, and the statement that reads them."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self.names = tuple(column.name for column in columns)
        """The wire names."""
        self._json = [c.name for c in columns if c.is_json]

    def only(self, names: Collection[str]) -> Shape:
        """Return the shape with those of its fields that are named."""
        return Shape([column for column in self.columns if column.name in names])

    def stored(self) -> Shape:
        """Return the shape without fields that are joined or looked up."""
        return Shape([c for c in self.columns if not (c.is_joined or c.is_looked_up)])

    @property
    def looked_up(self) -> tuple[str, ...]:
        """The names of the fields that are looked up."""
        return tuple(column.name for column in self.columns if column.is_looked_up)

    @property
    def joined(self) -> tuple[Column, ...]:
        """The joined fields."""
        return tuple(column for column in self.columns if column.is_joined)

    @property
    def kind(self) -> Object:
        """The answer's schema."""
        return self.named("", "")

    def named(
        self,
        name: str,
        help: str,  # noqa: A002 - as in field()
        further: Mapping[str, colander.SchemaNode] | None = None,
    ) -> Object:
        """Return the answer's schema with a name, a meaning, and further fields."""
        fields = {c.name: required(c.kind) for c in self.columns}
        return Object(schema({**fields, **(further or {})}, name=name, help=help))

    def select(self) -> Select[Any]:
        """Return the statement that reads the fields, without conditions and order."""
        return select(*(c.expression.label(c.name) for c in self.columns))

    def items(self, rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
        """Return the answer's objects, ready for orjson."""
        items = [dict(zip(self.names, row, strict=True)) for row in rows]
        for name in self._json:
            for item in items:
                item[name] = _fragment(item[name])
        return items

    def json(self, dialect: str) -> ColumnElement[str]:
        """Return an expression for the object as JSON text, which the database generates."""
        return cast(
            json_object(dialect, {c.name: c.as_json(dialect) for c in self.columns}), Text()
        )


def json_object(dialect: str, members: Mapping[str, Any]) -> ColumnElement[Any]:
    """Return an expression for a JSON object, whose members keep their order."""
    pairs = list(members.items())
    first, *others = [pairs[at : at + _AT_ONCE] for at in range(0, len(pairs) or 1, _AT_ONCE)]
    if dialect == "sqlite":
        found = func.json_object(*_arguments(first))
        for chunk in others:
            found = func.json_insert(found, *_arguments(chunk, '$."{}"'))
        return found
    whole = func.json_build_object(*_arguments(first))
    if not others:
        return whole
    # Only text keeps the order: the operator for jsonb sorts the names.
    text: ColumnElement[str] = cast(whole, Text())
    for chunk in others:
        rest = func.substr(cast(func.json_build_object(*_arguments(chunk)), Text()), 2)
        text = func.left(text, -1) + literal(",", Text()) + rest
    return cast(text, JSON)


def _arguments(pairs: Sequence[tuple[str, Any]], form: str = "{}") -> Iterator[Any]:
    """Yield the name and the value of each member.

    :param form: the form of a name, with a placeholder.
    """
    for name, value in pairs:
        # PostgreSQL can't infer the type of an argument that is a parameter.
        yield literal(form.format(name), Text())
        yield value


def _fragment(text: str | None) -> orjson.Fragment | None:
    return None if text is None else orjson.Fragment(text)
