"""Keeping the table of references, in the flush that writes the items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sqlalchemy import delete, event, inspect
from sqlalchemy.orm import Session

from masthead.references.checking import declared_for
from masthead.references.declared import Source
from masthead.references.models import ItemReference

_TABLE: Any = ItemReference.__table__
_AT_ONCE = 1_000
"""The number of rows that are added together."""


@event.listens_for(Session, "after_flush")
def _record(session: Session, _context: object) -> None:
    """Replace the rows of items whose references the flush has changed."""
    declared = declared_for(session)
    if declared is None or not declared.by_model:
        return
    gone, rows = defaultdict[str, list[int]](list), list[dict[str, Any]]()
    for item in (*session.dirty, *session.deleted):
        source = declared.by_model.get(type(item))
        if source is not None and (item in session.deleted or _has_changed(source, item)):
            gone[source.kind.name].append(item.id)
    for item in (*session.new, *session.dirty):
        source = declared.by_model.get(type(item))
        if source is not None and (item in session.new or item.id in gone[source.kind.name]):
            rows += rows_of(source, item)
    for kind, ids in gone.items():
        forget_references_of(session, kind, ids)
    if rows:
        session.connection().execute(_TABLE.insert(), rows)


def record_new(session: Session, kind: str, items: Iterable[Any]) -> None:
    """Add the rows of new items that no flush has written.

    :param kind: the name of the content type or resource.
    :param items: rows with the ids and the columns of the references, read one by one.
    """
    declared = declared_for(session)
    source = None if declared is None else declared.sources.get(kind)
    if source is None:
        return
    rows = (row for item in items for row in rows_of(source, item))
    while batch := list(islice(rows, _AT_ONCE)):
        session.connection().execute(_TABLE.insert(), batch)


def _has_changed(source: Source, item: Any) -> bool:
    attributes = inspect(item).attrs
    names = [it.field.attribute for it in source.references]
    names += ["staged"] if "staged" in attributes else []
    return any(attributes[name].history.has_changes() for name in names)


def rows_of(source: Source, item: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table about an item, which is an object of its model or a row."""
    staged: Mapping[str, Any] = getattr(item, "staged", None) or {}
    for reference in source.references:
        live = reference.ids(getattr(item, reference.field.attribute))
        is_staged = reference.field.staged and reference.name in staged
        shown = reference.ids(staged[reference.name]) if is_staged else live
        for target_id in dict.fromkeys([*live, *shown]):
            yield {
                "kind": source.kind.name,
                "item_id": item.id,
                "field": reference.name,
                "target_id": target_id,
                "target": reference.target,
                "live": target_id in live,
                "shown": target_id in shown,
            }


def forget_references_of(session: Session, kind: str, ids: Iterable[int]) -> None:
    """Delete the rows about referring items."""
    mine = (_TABLE.c.kind == kind, _TABLE.c.item_id.in_(list(ids)))
    session.connection().execute(delete(_TABLE).where(*mine))
