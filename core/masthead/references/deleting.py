"""The effects of a delete on the items that refer to the deleted ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Row, literal, select
from sqlalchemy.orm import Session

from masthead.db import utcnow
from masthead.http.permissions import ADMIN
from masthead.instance import instance_of
from masthead.ports.uses import ItemUse
from masthead.references.declared import Source, declared_in, title_column
from masthead.references.fields import Reference
from masthead.references.models import ItemReference
from masthead.references.recording import forget_references_of
from masthead.schemas.references import CLEAR

_Rows = dict[str, list[Row[Any]]]
_STAGED = "staged"


def uses_by_references(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    """Return the items that refer to others whose delete is refused.

    Those of disabled plugins count, because nothing could clear their references.
    """
    sources = declared_in(instance_of(session)).sources
    uses = []
    for name, rows in _referring(session, kind, ids).items():
        source = sources.get(name)
        clearing = (
            {it.name for it in source.references if it.kind.on_delete == CLEAR} if source else ()
        )
        kept = {(row.target_id, row.item_id) for row in rows if row.field not in clearing}
        titles = _titles(session, source, {item_id for _, item_id in kept}) if source else {}
        permission = source.kind.read_permission if source else ADMIN
        uses += [
            ItemUse(target_id, name, item_id, titles.get(item_id, ""), permission)
            for target_id, item_id in sorted(kept)
        ]
    return uses


def clear_references(session: Session, kind: str, ids: Collection[int | str]) -> list[Any]:
    """Remove deleted items from the fields that refer to them, and forget their own references.

    The revision of each changed item rises. A required reference, whose item is deleted although it
    is used, stays.

    :returns: the changed items.
    """
    changed = list[Any]()
    numbers = [each for each in ids if isinstance(each, int)]
    forget_references_of(session, kind, numbers)
    sources = declared_in(instance_of(session)).sources
    for name, rows in _referring(session, kind, numbers).items():
        if name in sources:
            changed += _clear(session, sources[name], rows)
    session.flush()
    return changed


def _referring(session: Session, kind: str, ids: Collection[int | str]) -> _Rows:
    """Return the references to items, by the kind of the referring items."""
    numbers = [each for each in ids if isinstance(each, int)]
    found = _Rows()
    if not numbers:
        return found
    table: Any = ItemReference.__table__
    rows = select(table).where(table.c.target == kind, table.c.target_id.in_(numbers))
    for row in session.execute(rows.order_by(table.c.kind, table.c.item_id)):
        found.setdefault(row.kind, []).append(row)
    return found


def _titles(session: Session, source: Source, ids: Collection[int]) -> dict[int, str]:
    column, key = title_column(source.kind), source.kind.model.__table__.c.id
    title = literal("") if column is None else column
    rows = session.execute(select(key, title).where(key.in_(ids)))
    return {item_id: text or "" for item_id, text in rows}


def _clear(session: Session, source: Source, rows: Sequence[Row[Any]]) -> Iterator[Any]:
    """Remove the targets of some rows from the referring items, and yield these."""
    model, now = source.kind.model, utcnow()
    missing = defaultdict[int, dict[str, set[int]]](dict)
    for row in rows:
        missing[row.item_id].setdefault(row.field, set()).add(row.target_id)
    locked = select(model).where(model.id.in_(missing)).order_by(model.id).with_for_update()
    for item in session.scalars(locked.execution_options(populate_existing=True)):
        live = [each.name for each in _cleared(source, item, missing[item.id])]
        if live and hasattr(item, "changed_at"):
            item.changed_at = now
        item.revision += 1
        item.updated_at = now
        yield item


def _cleared(source: Source, item: Any, missing: dict[str, set[int]]) -> Iterator[Reference]:
    """Remove ids from the values of an item, and yield the fields whose live values change."""
    for reference in source.references:
        ids = missing.get(reference.name)
        if not ids or (reference.field.required and not reference.is_list):
            continue
        attribute = reference.field.attribute
        if ids.intersection(reference.ids(getattr(item, attribute))):
            setattr(item, attribute, reference.without(getattr(item, attribute), ids))
            yield reference
        staged = getattr(item, _STAGED, None)
        if staged is not None and reference.name in staged:
            rest = reference.without(staged[reference.name], ids)
            item.staged = staged | {reference.name: rest}
