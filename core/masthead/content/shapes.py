"""The shapes of content in answers: the fields, and the statement that reads them.

A shape is built once per content type. A request executes its statement and turns the rows into
dictionaries, without creating objects of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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

from masthead.approval.declaration import APPROVAL_FIELDS
from masthead.auth.models import User
from masthead.content.contenttype import ContentType
from masthead.db import UTCDateTime, wire_time
from masthead.db.slugs import slug_base
from masthead.resources.declaration import ID_HELP, TIMES
from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.field_types import Bool, FieldType, Int, Str
from masthead.schemas.fields import Field, shown_kind
from masthead.schemas.language_tags import DIRECTION
from masthead.schemas.schema import Nullable, Object, named, required, schema
from masthead.tags.models import Tag
from masthead.tags.schemas import TAGS

LANG, DIR = "lang", "dir"
"""An item's language, and the direction of its script."""
_TAG = Tag.__table__
_USER = User.__table__
AUTHOR = Nullable(
    Object(
        schema(
            {"displayName": required(Str(), help="The name to show.", example="Ada Lovelace")},
            name="Author",
            help="The author of an item.",
        )
    )
).described("The user who created it; null for one without a name to show.")


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
        self._names = [column.name for column in columns]
        self._json = [c.name for c in columns if c.is_json]

    @property
    def kind(self) -> Object:
        """The answer's schema."""
        return Object(schema({c.name: required(c.kind) for c in self.columns}))

    def named(self, name: str, help: str) -> Object:  # noqa: A002 - as in field()
        """Return the answer's schema with a name and a meaning."""
        return Object(named(self.kind.node, name, help))

    def select(self) -> Select[Any]:
        """Return the statement that reads the fields, without conditions and order."""
        return select(*(c.expression.label(c.name) for c in self.columns))

    def items(self, rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
        """Return the answer's objects, ready for orjson."""
        items = [dict(zip(self._names, row, strict=True)) for row in rows]
        for name in self._json:
            for item in items:
                item[name] = _fragment(item[name])
        return items

    def json(self, dialect: str) -> ColumnElement[str]:
        """Return an expression for the object as JSON text, which the database generates."""
        return cast(
            _json_object(dialect, {c.name: c.as_json(dialect) for c in self.columns}), Text()
        )


def public_shape(content_type: ContentType, dialect: str, *, detail: bool) -> Shape:
    """Return the shape of an item for the public, in a list or alone."""
    shown = [
        f.name for f in content_type.fields if f.public and _shown(content_type, f, detail=detail)
    ]
    columns = [plain(content_type, name, public=True) for name in ("id", *shown, DIR)]
    return Shape(
        [*columns, tags_column(content_type, dialect), author_column(content_type, dialect)]
    )


def related_shape(content_type: ContentType) -> Shape:
    """Return the shape of an item in a list of related items."""
    names = content_type.related_fields or (
        "id",
        *(f.name for f in content_type.fields if f.public and f.listed),
        DIR,
    )
    return Shape([plain(content_type, name, public=True) for name in names])


def staff_shape(content_type: ContentType, dialect: str, *, detail: bool) -> Shape:
    """Return the shape of an item for staff: the live fields, without the staged edits."""
    fields = [f.name for f in content_type.fields if detail or f.name != "content"]
    names = ("id", *fields, DIR, *STAFF_FIELDS)
    columns = [plain(content_type, name) for name in names]
    columns += [user_column(content_type, dialect, name) for name in _USERS]
    if detail:
        columns.append(tags_column(content_type, dialect))
    return Shape(columns)


DIR_KIND = Nullable(DIRECTION).described("The direction of its script; null if `lang` is.")
STAFF_FIELDS: Mapping[str, FieldType] = {
    "published": Bool().described("Whether it is published."),
    **APPROVAL_FIELDS,
    **TIMES,
}
_USERS: Mapping[str, tuple[str, str]] = {
    "createdBy": ("created_by", "The user who created it."),
    "approvalRequestedByUser": ("approval_requested_by", "The user who requested the approval."),
    "approvedByUser": ("approved_by", "The user who approved it."),
    "rejectedByUser": ("rejected_by", "The user who rejected it."),
}
"""The fields with a user in staff answers, each with its column and meaning."""


def _slug(content_type: ContentType) -> FieldType:
    """Return the type of slugs; the example of a title leads to that of its slug."""
    title = content_type.example.get("title", "An example")
    meaning = "Its part of an address, which is unique among the items of this type."
    return Nullable(Str()).described(meaning, slug_base(title))


def plain(content_type: ContentType, name: str, *, public: bool = False) -> Column:
    """Return the field of a column of the table.

    :param public: whether the item is public, so that fewer values can be null.
    """
    column = content_type.columns[name]
    kinds: dict[str, FieldType] = {f.name: shown_kind(f.kind) for f in content_type.fields}
    kinds |= {"id": Int().described(ID_HELP), "slug": _slug(content_type), DIR: DIR_KIND}
    kinds |= STAFF_FIELDS
    kind = kinds[name]
    if public and isinstance(kind, Nullable) and name in ("slug", *content_type.never_null):
        kind = kind.inner.described(kind.help, kind.example)
    is_time = isinstance(column.type, UTCDateTime)
    return Column(name, wire_time(column) if is_time else column, kind)


def tags_column(content_type: ContentType, dialect: str) -> Column:
    """Return the field of an item's live tags, ordered by name."""
    links, items = content_type.links, content_type.table
    tags = (
        select(_TAG.c.id, _TAG.c.name, _TAG.c.slug)
        .join_from(links, _TAG, links.c.tag_id == _TAG.c.id)
        .where(links.c.item_id == items.c.id)
        .order_by(_TAG.c.sort_key, _TAG.c.id)
        .correlate(items)
        .subquery()
    )
    tag = _json_object(dialect, {c.name: c for c in tags.c})
    collect = func.json_group_array if dialect == "sqlite" else func.json_agg
    array = select(func.coalesce(cast(collect(tag), Text), "[]")).scalar_subquery()
    return Column("tags", array, TAGS.described("Its tags, by name."), is_json=True)


def author_column(content_type: ContentType, dialect: str) -> Column:
    """Return the field of the creator for the public: null without a display name."""
    author = {"displayName": _USER.c.display_name}
    creator = _user(content_type, dialect, author, "created_by").where(_USER.c.display_name != "")
    return Column("author", creator.scalar_subquery(), AUTHOR, is_json=True)


def user_column(content_type: ContentType, dialect: str, name: str) -> Column:
    """Return the field of a user for staff, whose id is in a column of the item."""
    column, meaning = _USERS[name]
    user = {"id": _USER.c.id, "username": _USER.c.username, "displayName": _USER.c.display_name}
    found = _user(content_type, dialect, user, column)
    kind = Nullable(Object(USER_REFERENCE)).described(meaning)
    return Column(name, found.scalar_subquery(), kind, is_json=True)


def _user(
    content_type: ContentType, dialect: str, shown: Mapping[str, Any], column: str
) -> Select[Any]:
    items = content_type.table
    user = select(cast(_json_object(dialect, shown), Text))
    return user.where(_USER.c.id == items.c[column]).correlate(items)


def _json_object(dialect: str, members: Mapping[str, Any]) -> ColumnElement[Any]:
    make = func.json_object if dialect == "sqlite" else func.json_build_object
    # PostgreSQL can't infer the type of an argument that is a parameter.
    named = ((literal(name, Text()), value) for name, value in members.items())
    return make(*(part for pair in named for part in pair))


def _fragment(text: str | None) -> orjson.Fragment | None:
    return None if text is None else orjson.Fragment(text)


def _shown(content_type: ContentType, field: Field, *, detail: bool) -> bool:
    return detail or field.listed or (field.name == "content" and content_type.list_content)
