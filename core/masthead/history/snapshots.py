"""The values of an item at one time, and their form in the database."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

import orjson
from sqlalchemy import Column, literal, select, union_all
from sqlalchemy.orm import Session

from masthead.references.reading import names_of
from masthead.schemas.fields import Field

_LABELS = ("title", "name", "label")
"""The columns with the name of a row, the first that a table has."""
Names = Mapping[str, Mapping[str, str]]
"""The names of rows that values refer to, by field and id."""


@dataclass(frozen=True)
class Snapshot:
    """The writable values of an item, as JSON values by wire name."""

    values: Mapping[str, Any]
    names: Names = dataclass_field(default_factory=dict)
    """The names that tell readers what an id meant, also after its row is deleted."""

    @cached_property
    def _json(self) -> bytes:
        return orjson.dumps(self.values, option=orjson.OPT_SORT_KEYS)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest of the values, in hexadecimal digits; names don't count."""
        return hashlib.sha256(self._json).hexdigest()

    @property
    def text(self) -> bytes:
        """The form that is stored, a JSON object."""
        names = orjson.dumps(self.names, option=orjson.OPT_SORT_KEYS)
        return b'{"names":%b,"values":%b}' % (names, self._json)

    @classmethod
    def read(cls, text: bytes) -> Snapshot:
        """Return a snapshot from its stored form.

        :raises ValueError: for another form.
        """
        stored = orjson.loads(text)
        if not isinstance(stored, dict) or not isinstance(stored.get("values"), dict):
            raise ValueError("not the values of a revision")
        names = stored.get("names")
        return cls(stored["values"], names if isinstance(names, dict) else {})


@dataclass(frozen=True)
class State:
    """A snapshot of an item, with the facts about it that a revision shows."""

    snapshot: Snapshot
    staged: bool
    """Whether the item had staged edits; the values are those, as staff see the item."""
    at: datetime
    user_id: int | None
    """The last editor, if the item knows one."""
    item_revision: int | None = None
    """The revision of the item, if it has one."""


class Kept(Protocol):
    """A content type or resource whose items have revisions."""

    @property
    def name(self) -> str:
        """The name of the content type or resource."""

    @property
    def fields(self) -> Sequence[Field]:
        """All writable fields."""

    @property
    def personal(self) -> Collection[str]:
        """The names of the fields with data of persons, which revisions don't keep."""

    @property
    def linked(self) -> frozenset[str]:
        """The names of the values that are ids of linked rows and no fields, such as ``tagIds``."""

    @property
    def approved_fields(self) -> Collection[str]:
        """The names of the values that an approval covers."""

    @property
    def restored_fields(self) -> frozenset[str]:
        """The names of the values that restoring a revision restores, unless others are named."""

    def snapshot(self, session: Session, item: Any, former: Snapshot | None = None) -> Snapshot:
        """Return the values of an item as staff see them.

        :param former: an earlier snapshot, since which the linked rows have not changed.
        """

    def live_snapshots(self, session: Session, items: Sequence[Any]) -> list[Snapshot]:
        """Return the values of items as the public sees them, without names."""

    def edited(self, _item: Any, _values: Mapping[str, Any], /) -> Mapping[str, Any] | None:
        """Return the live values of an item with its staged edits; None if nothing is staged."""

    def existing(self, session: Session, _name: str, _ids: Sequence[int], /) -> set[int]:
        """Return those of some ids of linked rows that exist."""


def dump_fields(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return Python values by wire name as JSON values."""
    return {f.name: f.kind.dump(values[f.name]) for f in fields}


def snapshot_of(session: Session, fields: Sequence[Field], item: Any) -> Snapshot:
    """Return the fields of an item, with the names of the rows that some refer to."""
    values = {f.name: getattr(item, f.attribute) for f in fields}
    columns = {f.name: item.__table__.c[f.attribute] for f in fields if values[f.name] is not None}
    named = _names(session, columns, values) | names_of(session, fields, values)
    return Snapshot(dump_fields(fields, values), named)


def _names(
    session: Session, columns: Mapping[str, Column[Any]], values: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    """Return the names of the rows to which columns refer by a foreign key."""
    wanted = []
    for name, column in columns.items():
        for key in column.foreign_keys:
            label = next((c for c in map(key.column.table.c.get, _LABELS) if c is not None), None)
            if label is not None:
                found = select(literal(name), literal(str(values[name])), label)
                wanted.append(found.where(key.column == values[name]))
    rows = session.execute(union_all(*wanted)).all() if wanted else []
    return {name: {item: label} for name, item, label in rows}


def state_of(session: Session, kept: Kept, item: Any, former: Snapshot | None = None) -> State:
    """Return the present state of an item.

    :param former: see ``Kept.snapshot``.
    """
    return State(
        kept.snapshot(session, item, former),
        staged=getattr(item, "staged", None) is not None,
        at=item.updated_at,
        user_id=getattr(item, "edited_by", None) or getattr(item, "created_by", None),
        item_revision=item.revision or None,
    )
