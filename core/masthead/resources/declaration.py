"""Declaring a resource: a mixin for its model, and what the kit makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, Integer
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.approval.declaration import Approvable
from masthead.db import ID, KEY, UTCDateTime, utcnow
from masthead.errors import StartError
from masthead.fields import Field, columns_of, fields_of
from masthead.schemas import (
    Int,
    Kind,
    Object,
    Str,
    Timestamp,
    camel_case,
    required,
    schema,
    snake_case,
)

LIST, SHOW, CREATE, UPDATE, DELETE = "list", "show", "create", "update", "delete"
OPERATIONS = (LIST, SHOW, CREATE, UPDATE, DELETE)
SEARCH = "search"
"""The query parameter that takes words."""
TIMES: Mapping[str, Kind] = {"createdAt": Timestamp(), "updatedAt": Timestamp()}


_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Name(Str):
    """A text that serves as an id: small letters and digits of ASCII, joined by hyphens."""

    def __init__(self) -> None:
        super().__init__(80)

    def parse(self, value: Any) -> str:
        text = super().parse(value)
        if not _NAME.fullmatch(text):
            raise ValueError("Must be made of a-z, 0-9 and single hyphens between them")
        return text


class _KeptItem:
    """Mixin: what every resource's model has beside its id."""

    revision: Mapped[int] = mapped_column(Integer(), default=1, sort_order=20)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=21)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=22)


class ResourceItem(_KeptItem):
    """Mixin: the columns that a resource's model has."""

    __kit__ = "resource"
    # SQLite would give the id of a deleted item again, to who still holds the old one.
    __table_args__: Any = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True, sort_order=-20)


class NamedItem(_KeptItem):
    """Mixin: the same for a resource whose ids are texts that staff choose, such as ``logo``."""

    __kit__ = "named"

    id: Mapped[str] = mapped_column(KEY, primary_key=True, sort_order=-20)


@dataclass(frozen=True)
class Narrowing:
    """A query parameter of a list that stands for a condition other than a field's value."""

    kind: Kind
    """What it takes."""
    condition: Callable[[Any, Any], ColumnElement[bool]]
    """The condition; gets the class whose columns are asked, and the value."""
    through: type[Any] | None = None
    """A model of links to items that is asked instead of theirs: with ``item_id``, and under the
    same names the columns that the list is ordered and narrowed by, so that an index of it
    serves."""


def _nothing(_values: Mapping[str, Any]) -> None:
    """The check of a resource that has no rule of its own."""


def never_kept(_session: Session, _item: Any) -> None:
    """Before the delete of an item that nothing forbids."""


def _never_final(_session: Session, _item: Any) -> None:
    """Before the update of an item that nothing forbids."""


def _flush(session: Session, items: Sequence[Any]) -> None:
    """Write items, new or changed."""
    session.add_all(items)
    session.flush()


@dataclass(frozen=True)
class Resource:
    """Things that staff list, show, create, change and delete.

    The model is a mapped class with :class:`ResourceItem` or :class:`NamedItem`; its further
    columns are declared with ``field()``. A column ``published`` gets its changes into the audit
    log, as deletes are.
    """

    name: str
    """In the plural: ``people``; its endpoints are ``staff.people.…``."""
    label: str
    """As people read it, in the singular: ``Person``."""
    model: type[Any]
    area: str
    """The area of its permissions."""
    path: str = ""
    """Below ``/api/staff/``; the name where none is given."""
    order: tuple[str, ...] = ("-createdAt",)
    """Fields that order its list; with a minus, the largest first, nulls last always."""
    filters: tuple[str, ...] = ()
    """Fields by whose value a list can be narrowed, as query parameters."""
    narrowings: Mapping[str, Narrowing] = dataclass_field(default_factory=dict)
    """Further query parameters of its list, by name."""
    search_fields: tuple[str, ...] = ()
    """Fields whose words items are found by, by the query parameter ``search``; ids are numbers
    then."""
    person: str = ""
    """The field that holds the e-mail address of who an item is about, where there is one: by it
    items are told to that person, and deleted where they ask to be forgotten."""
    operations: tuple[str, ...] = OPERATIONS
    """What staff can do, of ``OPERATIONS``."""
    editable: tuple[str, ...] | None = None
    """The fields that an update changes; all where none are named."""
    shows: Mapping[str, Kind] = dataclass_field(default_factory=lambda: TIMES)
    """What answers show of an item beside its id and fields, by wire name."""
    computed: Mapping[str, Callable[[Any], Any]] = dataclass_field(default_factory=dict)
    """What gives a value of ``shows`` that no attribute has, from an item, by wire name."""
    details: Mapping[str, Kind] = dataclass_field(default_factory=dict)
    """What answers to one item show beyond, by wire name; ``read_details`` gives the values."""
    read_details: Callable[[Session, Any], Mapping[str, Any]] = lambda _session, _item: {}
    check: Callable[[Mapping[str, Any]], None] = _nothing
    """Raises ``Invalid`` for values that don't fit together; gets all of them by wire name."""
    flush: Callable[[Session, Sequence[Any]], None] = _flush
    """Writes items that are new or changed: what has to be unique is refused here."""
    before_update: Callable[[Session, Any], None] = _never_final
    """Raises ``Refused`` for an item that has to stay as it is."""
    before_delete: Callable[[Session, Any], None] = never_kept
    """Raises ``Refused`` for an item that has to stay."""
    approval: Approvable | None = None
    """How its items are approved, where they are: an edit by who may not approve it returns an item
    to draft, but for fields declared with ``staged=False``. The model has :class:`ApprovableItem`
    then."""
    wire: Callable[[str], str] = camel_case
    """Gives the names on the wire for the model's attributes; ``snake_case`` keeps them."""

    columns: Mapping[str, Column[Any]] = dataclass_field(init=False)
    """The columns that the model declares, by wire name."""
    fields: tuple[Field, ...] = dataclass_field(init=False)
    """What clients read and write, in the order of the model's columns."""

    def __post_init__(self) -> None:
        """Read the model.

        :raises StartError: for an option that names what isn't there, or can't serve.
        """
        object.__setattr__(self, "path", self.path or self.name)
        object.__setattr__(self, "columns", columns_of(self.model, self.wire))
        object.__setattr__(self, "fields", fields_of(self.model, self.wire))
        named = [*self.filters, *self.search_fields, *(self.editable or ())]
        named += [self.person] if self.person else []
        unknown = set(named) - {f.name for f in self.fields}
        unknown |= {name.removeprefix("-") for name in self.order} - self.columns.keys()
        shown = self.shows.keys() - self.computed.keys()
        unknown |= {name for name in shown if not hasattr(self.model, self._attribute(name))}
        if unknown:
            raise StartError(f"{self.name}: there is no field {', '.join(sorted(unknown))}")
        named = [*self.filters, *(name.removeprefix("-") for name in self.order)]
        many = {name for name in named if isinstance(self.columns[name].type, JSON)}
        if many:
            raise StartError(f"{self.name}: no list can go by {', '.join(sorted(many))}")
        wordless = {f.name for f in self.fields if not f.is_text}.intersection(self.search_fields)
        if wordless:
            raise StartError(f"{self.name}: nobody can search {', '.join(sorted(wordless))}")
        if self.search_fields and self.named:
            raise StartError(f"{self.name}: only items whose ids are numbers can be searched")

    def _attribute(self, name: str) -> str:
        """The model's attribute behind a wire name, a column's or that of a property."""
        return self.columns[name].key if name in self.columns else snake_case(name)

    @property
    def named(self) -> bool:
        """Whether its ids are texts that staff choose."""
        return issubclass(self.model, NamedItem)

    @property
    def read_permission(self) -> str:
        """What listing and showing it takes."""
        return f"{self.area}.read"

    @property
    def write_permission(self) -> str:
        """What creating, changing and deleting it takes."""
        return f"{self.area}.write"

    @property
    def changeable(self) -> tuple[Field, ...]:
        """The fields that an update changes."""
        return tuple(f for f in self.fields if self.editable is None or f.name in self.editable)

    def answer(self, *, detail: bool) -> Object:
        """What an answer shows of an item, alone or in a list."""
        shown = {f.name: f.kind for f in self.fields if detail or f.listed}
        kinds: dict[str, Kind] = {"id": Name() if self.named else Int(), **shown, **self.shows}
        kinds |= self.details if detail else {}
        return Object(schema({name: required(kind) for name, kind in kinds.items()}))

    def values(self, item: Any, *, detail: bool) -> dict[str, Any]:
        """What an answer shows of an item, by wire name, but for ``details``."""
        names = ("id", *(f.name for f in self.fields if detail or f.listed), *self.shows)
        own = {
            name: getattr(item, self._attribute(name))
            for name in names
            if name not in self.computed
        }
        return own | {name: compute(item) for name, compute in self.computed.items()}

    def describe(self, session: Session, item: Any) -> dict[str, Any]:
        """What the answer to one item shows, by wire name."""
        return {**self.values(item, detail=True), **self.read_details(session, item)}

    def ordering(self, source: Any, item_id: Any) -> list[Any]:
        """The list's order; the id is its last key, in the direction of the one before.

        :param source: the class whose columns are asked.
        :param item_id: its column that holds the items' ids.
        """
        keys, descending = [], False
        for name in self.order:
            descending = name.startswith("-")
            column = getattr(source, self._attribute(name.removeprefix("-")))
            key = column.desc() if descending else column.asc()
            nullable = self.model.__table__.c[column.key].nullable
            keys.append(key.nulls_last() if nullable else key)
        return [*keys, item_id.desc() if descending else item_id.asc()]
