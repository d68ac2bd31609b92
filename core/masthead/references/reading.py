"""References in public answers: only those to items that the public sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    FromClause,
    cast,
    func,
    literal,
    literal_column,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from masthead.http.list_query import EMBED
from masthead.instance import Instance, instance_of
from masthead.references.declared import declared_in, title_column
from masthead.references.fields import Reference, references_of
from masthead.schemas.fields import Field
from masthead.schemas.references import Ref
from masthead.schemas.schema import Nullable
from masthead.schemas.shapes import Column

Names = Mapping[str, Mapping[str, str]]


def public_column(reference: Reference, column: Any, instance: Instance) -> Column:
    """Return the field of a reference in public answers, without items that the public can't see.

    Its value depends on rows of other tables, and on the time ``NOW``.

    :param column: the column of the referring item.
    """
    kind = reference.kind
    if isinstance(kind, Ref):
        shown: Any = Nullable(kind).described(reference.field.help, reference.field.example)
        value = _seen_id(reference, column, instance)
    else:
        shown = kind.described(reference.field.help, reference.field.example)
        value = _seen_ids(reference, column, instance)
    return Column(reference.name, value, shown, is_joined=True)


def public_columns(
    fields: Sequence[Field], columns: Mapping[str, Any], instance: Instance
) -> dict[str, Column]:
    """Return the fields of references in public answers, by name.

    :param columns: the columns of the referring items, by wire name.
    """
    return {it.name: public_column(it, columns[it.name], instance) for it in references_of(fields)}


def reads_others(name: str, fields: Sequence[Field], query: Mapping[str, Any]) -> bool:
    """Whether the public answer to one item may depend on others of its own kind.

    Embedded items can refer to further ones.

    :param name: the name of the content type or resource.
    :param query: the checked parameters of the request.
    """
    return bool(query.get(EMBED)) or any(it.target == name for it in references_of(fields))


def seen_target(
    reference: Reference, instance: Instance
) -> tuple[FromClause, ColumnElement[bool]] | None:
    """Return the table that a field refers to, and the condition that the public sees an item.

    :returns: None if the public sees no such items.
    """
    kind = declared_in(instance).kinds.get(reference.target)
    if kind is None:
        return None
    # With a name of its own, because an item may refer to one of its own kind.
    rows = kind.model.__table__.alias(f"{reference.field.attribute}_target")
    seen = kind.seen(rows)
    return None if seen is None else (rows, seen)


def _seen_id(reference: Reference, column: Any, instance: Instance) -> ColumnElement[Any]:
    found = seen_target(reference, instance)
    if found is None:
        return cast(null(), BigInteger)
    rows, seen = found
    one = select(rows.c.id).where(rows.c.id == column, seen).correlate(column.table)
    return one.scalar_subquery()


def _seen_ids(reference: Reference, column: Any, instance: Instance) -> ColumnElement[Any]:
    is_sqlite = instance.database.dialect == "sqlite"
    none: ColumnElement[Any] = literal_column("'[]'" if is_sqlite else "'[]'::json", JSON())
    found = seen_target(reference, instance)
    if found is None:
        return none
    rows, seen = found
    if is_sqlite:
        each = func.json_each(column).table_valued("key", "value", name="each")
        place, value = each.c.key, each.c.value
    else:
        elements = func.json_array_elements_text(column)
        each = elements.table_valued("value", with_ordinality="place", name="each").render_derived()
        place, value = each.c.place, each.c.value
    ids = (
        select(rows.c.id)
        .join_from(each, rows, rows.c.id == cast(value, BigInteger))
        .where(seen)
        .order_by(place)
        .correlate(column.table)
        .subquery()
    )
    collect: Any = func.json_group_array if is_sqlite else func.json_agg
    collected = select(func.coalesce(collect(ids.c.id, type_=JSON()), none, type_=JSON()))
    return collected.scalar_subquery()


def names_of(
    session: Session, fields: Sequence[Field], values: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    """Return the titles of the items that values refer to, by field and id, with one query.

    :param values: values by wire name.
    """
    held = [it for it in references_of(fields) if it.ids(values.get(it.name))]
    wanted = []
    kinds = declared_in(instance_of(session)).kinds if held else {}
    for each in held:
        title = title_column(kinds[each.target]) if each.target in kinds else None
        if title is not None:
            key = kinds[each.target].model.__table__.c.id
            named = select(literal(each.name), key, title)
            wanted.append(named.where(key.in_(each.ids(values[each.name]))))
    found: dict[str, dict[str, str]] = {}
    for name, target_id, title in session.execute(union_all(*wanted)) if wanted else ():
        found.setdefault(name, {})[str(target_id)] = title
    return found
