"""Fields of answers that are computed: from columns, or for all items of a page at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnClause, ColumnElement, SelectBase, Table, null, select
from sqlalchemy.orm import Session
from sqlalchemy.sql import visitors

from masthead.errors import StartError
from masthead.schemas.field_types import FieldType
from masthead.schemas.shapes import Column


@dataclass(frozen=True)
class Computed:
    """A field that answers show and nobody writes, with either ``expression`` or ``batch``."""

    kind: FieldType
    """The type of the value, with its meaning: ``Int().described("…")``."""
    expression: Callable[[Table], ColumnElement[Any]] | None = None
    """Return the value in SQL from the columns of the item's table alone: not from other tables,
    the time or chance, as lists show a stored value."""
    batch: Callable[[Session, Sequence[Any]], Mapping[Any, Any]] | None = None
    """Return the values by id for the items of an answer; an item without one has null. It is
    called once for a page or for the embedded items of a field, and may read other tables, each
    with a fixed number of statements. It may show the public only what the public may see."""
    public: bool = True
    """Whether the public sees it, too."""
    listed: bool = True
    """Whether lists show it, and embedded items. With ``batch``, lists of content are then read
    without their stored JSON."""


def check_computed(kind: str, table: Table, computed: Mapping[str, Computed]) -> None:
    """Refuse a field that can't be computed.

    :param kind: the name of the content type or resource.
    :raises StartError: naming the field.
    """
    for name, each in computed.items():
        if (each.expression is None) == (each.batch is None):
            raise StartError(f"{kind}: computed {name} needs an expression or a batch")
        if each.expression is not None and not _is_own(each.expression(table), table):
            raise StartError(
                f"{kind}: the expression of {name} may only use columns of {table.name};"
                " use batch for a value that depends on something else"
            )


def computed_columns(
    table: Table, computed: Mapping[str, Computed], *, detail: bool, public: bool = False
) -> Iterator[Column]:
    """Yield the computed fields of an answer; those of a batch are null until they are filled in.

    :param public: whether the public gets the answer.
    """
    for name, each in computed.items():
        if (detail or each.listed) and (each.public or not public):
            if each.expression is None:
                yield Column(name, null(), each.kind, is_looked_up=True)
            else:
                yield Column(name, each.kind.wire(each.expression(table)), each.kind)


def fill_in(
    session: Session,
    items: Iterable[dict[str, Any]],
    computed: Mapping[str, Any],
    names: Iterable[str],
) -> None:
    """Set the fields of a batch in answers.

    :param computed: the computed fields by wire name, and others.
    :param names: the fields that the answers show.
    """
    items = list(items)
    ids = [item["id"] for item in items]
    for name in names:
        each = computed.get(name)
        if ids and isinstance(each, Computed) and each.batch is not None:
            values = each.batch(session, ids)
            for item in items:
                value = values.get(item["id"])
                item[name] = None if value is None else each.kind.dump(value)


def values_of(
    session: Session, table: Table, computed: Mapping[str, Computed], ids: Sequence[Any]
) -> dict[Any, dict[str, Any]]:
    """Return the stored values of computed fields by id and wire name.

    It takes one statement for all expressions, and one call for each field of a batch.

    :param table: the table of the items.
    """
    found: dict[Any, dict[str, Any]] = {item_id: {} for item_id in ids}
    own = {n: it.expression(table) for n, it in computed.items() if it.expression is not None}
    if own and ids:
        columns = (each.label(name) for name, each in own.items())
        rows = select(table.c.id, *columns).where(table.c.id.in_(ids))
        for item_id, *values in session.execute(rows):
            found[item_id] |= dict(zip(own, values, strict=True))
    for name, each in computed.items():
        if each.batch is not None:
            batch = each.batch(session, ids) if ids else {}
            found = {i: {**values, name: batch.get(i)} for i, values in found.items()}
    return found


def _is_own(expression: ColumnElement[Any], table: Table) -> bool:
    """Whether an expression depends on columns of a table and on fixed values alone."""
    for part in visitors.iterate(expression):
        if isinstance(part, SelectBase):
            return False
        if isinstance(part, ColumnClause) and part.table is not table:
            return False
        if isinstance(part, BindParameter) and part.required:
            return False
    return True
