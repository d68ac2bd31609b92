"""Rebuilding the search index, beside a running server or at the end of an instance's import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.db.content_version import touch
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.search.index import index_of
from masthead.search.services import forget_items, index_items

BATCH = 100
"""The number of items per transaction; on SQLite, other writers wait for its end."""


def count_items(instance: Instance) -> int:
    """Return the number of items that ``reindex`` indexes."""
    with instance.database.read() as connection:
        counts = (select(func.count()).select_from(it.model) for it in _searchable(instance))
        return sum(connection.execute(count).scalar_one() for count in counts)


def reindex(instance: Instance) -> Iterator[int]:
    """Index all items again, and remove missing items from the index.

    The list JSON of content is generated again, too (see ``list_json.py``).

    :returns: the number of items of each batch, after the batch is committed.
    """
    for declaration in _searchable(instance):
        last = 0
        while True:
            with instance.database.transaction() as session:
                items = _index_batch(session, declaration, last)
                if isinstance(declaration, ContentType):
                    for item in items:
                        item.listed = None
                ids = [item.id for item in items]
            if not ids:
                break
            last = ids[-1]
            yield len(ids)
        with instance.database.transaction() as session:
            forget_items(session, declaration, _missing(session, declaration))
            # Answers that were cached meanwhile come from an incomplete index.
            touch(session.connection())


def index_imported(session: Session) -> None:
    """Index all items in the transaction of an import, as an export has no search index."""
    session.flush()
    for declaration in _searchable(instance_of(session)):
        last = 0
        while items := _index_batch(session, declaration, last):
            last = items[-1].id
            # An import can have more items than fit into memory.
            session.expunge_all()


def _searchable(instance: Instance) -> list[ContentType | Resource]:
    resources = [it for it in instance.resources.values() if it.search_fields]
    return [*content_types_of(instance), *resources]


def _index_batch(session: Session, declaration: ContentType | Resource, last: int) -> Sequence[Any]:
    """Index the items that follow the id ``last``, and return them, locked against changes."""
    model = declaration.model
    rows = select(model).where(model.id > last).order_by(model.id).limit(BATCH)
    items = session.scalars(rows.with_for_update()).all()
    index_items(session, declaration, items)
    return items


def _missing(session: Session, declaration: ContentType | Resource) -> list[int]:
    """Return the ids in the index whose items no longer exist."""
    index = index_of(session.get_bind().dialect.name)
    indexed = index.select_indexed(declaration.name).subquery()
    existing = select(declaration.model.id)
    rows = select(indexed.c.item_id).where(indexed.c.item_id.not_in(existing))
    return list(session.scalars(rows.distinct()))
