"""Reading the trash: the list, and the values of an item, as far as they fit the items of today."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, literal, select, union_all
from sqlalchemy.orm import Session, defer, joinedload

from masthead.content.contenttype import ContentType
from masthead.content.staging import staged_values
from masthead.db import fold
from masthead.errors import Invalid, NotFound
from masthead.history.reading import ADDED, INVALID, REMOVED, Unfit
from masthead.http.paging import Page, Window
from masthead.instance import instance_of
from masthead.references.checking import missing_references
from masthead.resources.trashed import StoredItem, TrashedItem
from masthead.schemas.cases import camel_case
from masthead.schemas.field_types import MAX_ID
from masthead.transfer.tables import ExportableTable, exportable_table
from masthead.trash.kinds import Kind

_REMOVED = "The item has no such field any more"
_ADDED = "The field is younger than the delete"
_MISSING = "Does not exist any more"
_STAGED = "staged"


@dataclass(frozen=True)
class FittingItem:
    """A deleted item, as far as it fits the items of today."""

    columns: Mapping[str, Any]
    """The values of its columns, by the name of the attribute."""
    links: Mapping[str, list[int]]
    """The ids of linked rows that exist, by the name of the links."""
    unfit: list[Unfit]
    """The values that don't fit, by wire name."""


def list_trash(
    session: Session,
    window: Window,
    kinds: Collection[str] | None,
    kind: str | None = None,
    search: str = "",
) -> Page:
    """Return a page of the items in the trash, the last deleted first.

    :param kinds: the names of the kinds to list; None for all, also of disabled plugins.
    :param kind: the only kind to list.
    :param search: a part of the title.
    """
    wanted = select(TrashedItem.id)
    if kinds is not None:
        wanted = wanted.where(TrashedItem.kind.in_(sorted(kinds)))
    if kind is not None:
        wanted = wanted.where(TrashedItem.kind == kind)
    if key := fold(search):
        wanted = wanted.where(TrashedItem.title_key.contains(key, autoescape=True))
    total = session.scalar(select(func.count()).select_from(wanted.subquery())) or 0
    # The ids are found in an index, so that no other row with its long data is read.
    newest = wanted.order_by(TrashedItem.id.desc()).limit(window.limit).offset(window.offset)
    rows = select(TrashedItem).where(TrashedItem.id.in_(newest)).order_by(TrashedItem.id.desc())
    shown = rows.options(joinedload(TrashedItem.user), defer(TrashedItem.data))
    return Page(session.scalars(shown).all(), total)


def get_trashed(session: Session, trashed_id: int) -> TrashedItem:
    """Return an item in the trash.

    :raises NotFound: if there is none with this number.
    """
    found = session.get(TrashedItem, trashed_id, options=[joinedload(TrashedItem.user)])
    if found is None:
        raise NotFound
    return found


def fit_item(session: Session, kind: Kind, stored: StoredItem) -> FittingItem:
    """Return a deleted item, as far as it fits the items of today."""
    table = exportable_table(kind.model.__table__, instance_of(session).settings)
    names = {column.name: name for name, column in kind.columns.items()}
    values, unfit = _values(table, names, stored)
    for name in _missing_references(session, table, values):
        values.pop(name)
        unfit.append(Unfit(names.get(name, name), INVALID, _MISSING))
    unfit += _drop_missing(session, kind, names, values)
    links = {}
    for name in sorted(kind.linked):
        known = stored.links.get(name, {})
        present = kind.existing(session, name, [each for each in known if 0 < each <= MAX_ID])
        links[name] = sorted(present)
        missing = [title for each, title in known.items() if each not in present]
        if missing:
            unfit.append(Unfit(name, INVALID, f"{_MISSING}: {', '.join(missing)}"))
    fields = {f.name: f.attribute for f in kind.fields}
    columns = {table.table.c[name].key: value for name, value in values.items()}
    known_fields = {names[name] for name in stored.row if name in names}
    unfit += [Unfit(name, ADDED, _ADDED) for name in fields if name not in known_fields]
    return FittingItem(columns, links, unfit)


def _drop_missing(
    session: Session, kind: Kind, names: Mapping[str, str], values: dict[str, Any]
) -> list[Unfit]:
    """Remove references to items that don't exist any more, also staged ones, and return them.

    :param names: the wire names of the columns.
    :param values: the values of the columns, which are changed.
    """
    live = {names[name]: values[name] for name in values if name in names}
    staged = values.get(_STAGED) or {}
    lost = missing_references(session, kind.fields, live)
    lost_edits = missing_references(session, kind.fields, staged)
    for name in [name for name in values if names.get(name) in lost]:
        reference, ids = lost[names[name]]
        values[name] = reference.without(values[name], ids)
        if values[name] is None:
            values.pop(name)
    for wire, (reference, ids) in lost_edits.items():
        values[_STAGED] = values[_STAGED] | {wire: reference.without(staged[wire], ids)}
    return [
        Unfit(wire, INVALID, f"{_MISSING}: {', '.join(map(str, sorted(ids)))}")
        for wire, (_, ids) in (lost_edits | lost).items()
    ]


def shown_values(kind: Kind, found: FittingItem) -> dict[str, Any]:
    """Return the values of a deleted item as staff saw it, as JSON values by wire name."""
    columns = found.columns
    fields = [f for f in kind.fields if f.attribute in columns]
    values: dict[str, Any] = {f.name: f.kind.dump(columns[f.attribute]) for f in fields}
    values |= found.links
    if isinstance(kind, ContentType) and columns.get("staged") is not None:
        values |= staged_values(kind, columns["staged"])
    return values


def _values(
    table: ExportableTable, names: Mapping[str, str], stored: StoredItem
) -> tuple[dict[str, Any], list[Unfit]]:
    """Return the values of those columns that exist today, by name, and the others."""
    values: dict[str, Any] = {}
    unfit = []
    for name, sent in stored.row.items():
        if name not in table.codecs:
            unfit.append(Unfit(camel_case(name), REMOVED, _REMOVED))
            continue
        try:
            values[name] = table.read(name, sent)
        except Invalid as error:
            message = error.message.removeprefix(f"{name}: ")
            unfit.append(Unfit(names.get(name, name), INVALID, message))
    return values, unfit


def _missing_references(
    session: Session, table: ExportableTable, values: Mapping[str, Any]
) -> list[str]:
    """Return the names of the columns that refer to rows which don't exist any more."""
    keys = [
        (column.name, key.column)
        for column in table.columns
        for key in column.foreign_keys
        if values.get(column.name) is not None
    ]
    if not keys:
        return []
    rows = [select(literal(name)).where(key == values[name]) for name, key in keys]
    present = set(session.connection().execute(union_all(*rows)).scalars())
    return [name for name, _ in keys if name not in present]
