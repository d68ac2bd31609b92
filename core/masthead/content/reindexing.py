"""Building the search index anew from the content, beside a server that runs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.db.content_version import touch
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.search.index import index_of
from masthead.search.services import forget_items, index_items

BATCH = 100
"""Items that are indexed at once; on SQLite everybody who writes waits for as long."""


def count_items(instance: Instance) -> int:
    """The number of items that ``reindex`` goes through."""
    with instance.database.read() as connection:
        counts = (select(func.count()).select_from(kind.model) for kind in searched(instance))
        return sum(connection.execute(count).scalar_one() for count in counts)


def reindex(instance: Instance) -> Iterator[int]:
    """Index every item of what is searched anew, and forget those that are gone.

    The listings of content are made anew too (see ``content.listing``).

    :returns: the number of items of each batch, after it is committed.
    """
    for kind in searched(instance):
        last = 0
        while True:
            with instance.database.transaction() as session:
                ids = _index_after(session, kind, last)
            if not ids:
                break
            last = ids[-1]
            yield len(ids)
        with instance.database.transaction() as session:
            forget_items(session, kind, _gone(session, kind))
            # Answers that were made meanwhile are of a part of the index.
            touch(session.connection())


def searched(instance: Instance) -> list[ContentType | Resource]:
    """What has items that are found by their words."""
    resources = [it for it in instance.resources.values() if it.search_fields]
    return [*content_types_of(instance), *resources]


def _index_after(session: Session, kind: ContentType | Resource, last: int) -> list[int]:
    model = kind.model
    # Locked, so that nobody changes an item between its being read and its being indexed.
    rows = select(model).where(model.id > last).order_by(model.id).limit(BATCH)
    items = session.scalars(rows.with_for_update()).all()
    if isinstance(kind, ContentType):
        for item in items:
            item.listed = None
    index_items(session, kind, items)
    return [item.id for item in items]


def _gone(session: Session, kind: ContentType | Resource) -> list[int]:
    indexed = index_of(session.get_bind().dialect.name).select_indexed(kind.name).subquery()
    rows = select(indexed.c.item_id).where(indexed.c.item_id.not_in(select(kind.model.id)))
    return list(session.scalars(rows.distinct()))
