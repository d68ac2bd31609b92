"""Indexing items again that exist already.

A command does it for all items, an import for those that it brings, and a job for those that are
marked as outdated: all items of a content type after the form of its texts has changed, and the
items of a tag after its name has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import delete, exists, func, or_, select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.staging import may_have_staged_tag
from masthead.db.changed_tables import touch
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.instance import Instance, instance_of
from masthead.references.rebuilding import rebuild_all
from masthead.resources.declaration import Resource
from masthead.search.index import index_of
from masthead.search.outdated import mark_outdated, outdated_ids, unmark
from masthead.search.services import forget_items, index_items
from masthead.search.tokens import FORM

BATCH = 100
"""The number of items per transaction; on SQLite, other writers wait for its end."""

_INDEXED = "search"
"""The kind of the :class:`OnceMarker` rows whose names are a type and the form of its texts."""
_NOTED = "masthead.outdated_in_search"


def count_items(instance: Instance) -> int:
    """Return the number of items that ``reindex`` indexes."""
    with instance.database.read() as connection:
        counts = (select(func.count()).select_from(it.model) for it in _searchable(instance))
        return sum(connection.execute(count).scalar_one() for count in counts)


def reindex(instance: Instance) -> Iterator[int]:
    """Index all items again, and remove missing items from the index.

    The list JSON of content is generated again, too (see ``list_json.py``), and the table of
    references.

    :returns: the number of items of each batch, after the batch is committed.
    """
    with instance.database.transaction() as session:
        rebuild_all(session)
    for declaration in _searchable(instance):
        last = 0
        while True:
            with instance.database.transaction() as session:
                items = _index_batch(session, declaration, last)
                if isinstance(declaration, ContentType):
                    for item in items:
                        item.listed = None
                ids = [item.id for item in items]
                unmark(session, declaration.name, ids)
            if not ids:
                break
            last = ids[-1]
            yield len(ids)
        with instance.database.transaction() as session:
            forget_items(session, declaration, _missing(session, declaration))
            # Answers that were cached meanwhile come from an incomplete index.
            touch(session.connection(), declaration.model.__tablename__)


def index_imported(session: Session) -> None:
    """Index all items in the transaction of an import, as an export has no search index."""
    session.flush()
    for declaration in _searchable(instance_of(session)):
        last = 0
        while items := _index_batch(session, declaration, last):
            last = items[-1].id
            # An import can have more items than fit into memory.
            session.expunge_all()


def mark_old_forms(session: Session, instance: Instance) -> None:
    """Mark all items of each content type and resource whose texts another release has indexed.

    It is safe to call this at every start.
    """
    lock(session, "search")
    known = set(session.scalars(select(OnceMarker.name).where(OnceMarker.kind == _INDEXED)))
    forms = {f"{it.name} {_form(it)}": it for it in _searchable(instance)}
    for form in forms.keys() - known:
        declaration = forms[form]
        mark_outdated(session.connection(), declaration.name, select(declaration.model.id))
        session.add(OnceMarker(kind=_INDEXED, name=form))
    # Without a need, no write: it would replace the content version.
    if outdated := known - forms.keys():
        of_others = OnceMarker.name.in_(outdated)
        session.execute(delete(OnceMarker).where(OnceMarker.kind == _INDEXED, of_others))


def index_outdated(session: Session) -> bool:
    """Index some of the marked items, and return whether there may be more."""
    for declaration in _searchable(instance_of(session)):
        ids = outdated_ids(session, declaration.name, BATCH)
        if ids:
            _index_marked(session, declaration, ids)
            return True
    return False


def note_tag(session: Session, content_type: ContentType, tag_id: int) -> None:
    """Note that the name of a tag changes: its items, live and staged, have to be indexed again.

    All are marked, and the first ones are indexed by ``index_noted`` in the same transaction.
    """
    table, links = content_type.table, content_type.links
    tagged = table.c.id.in_(select(links.c.item_id).where(links.c.tag_id == tag_id))
    ids = select(table.c.id).where(or_(tagged, may_have_staged_tag(table, tag_id)))
    connection = session.connection()
    mark_outdated(connection, content_type.name, ids)
    first = connection.scalars(ids.order_by(table.c.id).limit(BATCH)).all()
    session.info.setdefault(_NOTED, {}).setdefault(content_type.name, set()).update(first)


def index_noted(session: Session) -> None:
    """Index the first items of tags whose names the transaction has changed."""
    noted: dict[str, set[int]] = session.info.pop(_NOTED, {})
    for declaration in content_types_of(instance_of(session)) if noted else ():
        ids = sorted(noted.get(declaration.name, ()))[:BATCH]
        if ids:
            _index_marked(session, declaration, ids)


def _index_marked(
    session: Session, declaration: ContentType | Resource, ids: Sequence[int]
) -> None:
    """Index items again, locked against changes, and remove their marks."""
    model = declaration.model
    rows = select(model).where(model.id.in_(ids)).order_by(model.id)
    index_items(session, declaration, session.scalars(rows.with_for_update()).all())
    unmark(session, declaration.name, ids)
    # The index is private, and answers depend on it; they depend on the items, too.
    touch(session.connection(), model.__tablename__)


def _form(declaration: ContentType | Resource) -> str:
    """Return a digest of everything except content on which the index of a type depends."""
    form = (FORM, isinstance(declaration, ContentType), tuple(declaration.search_fields))
    return hashlib.blake2b(repr(form).encode(), digest_size=8).hexdigest()


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
    # Not by NOT IN: on PostgreSQL its time is quadratic if the ids don't fit into memory.
    existing = exists().where(declaration.model.id == indexed.c.item_id)
    rows = select(indexed.c.item_id).where(~existing)
    return list(session.scalars(rows.distinct()))
