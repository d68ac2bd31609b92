"""Declaring a resource: a mixin for its model, and what the kit makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any

from sqlalchemy import Column
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.db import ID, KEY, UTCDateTime, utcnow
from masthead.errors import StartError
from masthead.fields import Field, fields_of
from masthead.schemas import Int, Kind, Object, Str, Timestamp, camel_case, required, schema

LIST, SHOW, CREATE, UPDATE, DELETE = "list", "show", "create", "update", "delete"
OPERATIONS = (LIST, SHOW, CREATE, UPDATE, DELETE)
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

    revision: Mapped[int] = mapped_column(default=1, sort_order=20)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=21)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=22)


class ResourceItem(_KeptItem):
    """Mixin: the columns that a resource's model has."""

    # SQLite would give the id of a deleted item again, to who still holds the old one.
    __table_args__: Any = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True, sort_order=-20)


class NamedItem(_KeptItem):
    """Mixin: the same for a resource whose ids are texts that staff choose, such as ``logo``."""

    id: Mapped[str] = mapped_column(KEY, primary_key=True, sort_order=-20)


def _nothing(_values: Mapping[str, Any]) -> None:
    """The check of a resource that has no rule of its own."""


def never_kept(_session: Session, _item: Any) -> None:
    """Before the delete of an item that nothing forbids."""


def _flush(session: Session, items: Sequence[Any]) -> None:
    """Write items, new or changed."""
    session.add_all(items)
    session.flush()


@dataclass(frozen=True)
class Resource:
    """Things that staff list, show, create, change and delete, without approval.

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
    operations: tuple[str, ...] = OPERATIONS
    """What staff can do, of ``OPERATIONS``."""
    editable: tuple[str, ...] | None = None
    """The fields that an update changes; all where none are named."""
    shows: Mapping[str, Kind] = dataclass_field(default_factory=lambda: TIMES)
    """What answers show of an item beside its id and fields, by wire name."""
    check: Callable[[Mapping[str, Any]], None] = _nothing
    """Raises ``Invalid`` for values that don't fit together; gets all of them by wire name."""
    flush: Callable[[Session, Sequence[Any]], None] = _flush
    """Writes items that are new or changed: what has to be unique is refused here."""
    before_delete: Callable[[Session, Any], None] = never_kept
    """Raises ``Refused`` for an item that has to stay."""

    fields: tuple[Field, ...] = dataclass_field(init=False)
    """What clients read and write, in the order of the model's columns."""

    def __post_init__(self) -> None:
        """Read the model.

        :raises StartError: for an option that names a field that isn't there.
        """
        object.__setattr__(self, "path", self.path or self.name)
        object.__setattr__(self, "fields", fields_of(self.model))
        named = [*self.filters, *(self.editable or ())]
        unknown = set(named) - {f.name for f in self.fields}
        unknown |= {name.removeprefix("-") for name in self.order} - self._columns().keys()
        if unknown:
            raise StartError(f"{self.name}: there is no field {', '.join(sorted(unknown))}")

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
        return Object(schema({name: required(kind) for name, kind in kinds.items()}))

    def ordering(self) -> list[Any]:
        """The list's order; the id is its last key, in the direction of the one before."""
        columns, keys, descending = self._columns(), [], False
        for name in self.order:
            descending = name.startswith("-")
            column = columns[name.removeprefix("-")]
            key = column.desc() if descending else column.asc()
            keys.append(key.nulls_last() if column.nullable else key)
        return [*keys, self.model.id.desc() if descending else self.model.id.asc()]

    def _columns(self) -> dict[str, Column[Any]]:
        return {camel_case(column.key): column for column in self.model.__table__.c}
