"""The JSON of an item in public lists, kept beside the item so that a list only joins texts.

What changes it, empties it: a write of the item, of one of its tags, of its author's name. At the
end of the transaction the database makes it anew from the live columns, in one statement for each
content type. Where it is empty all the same, lists make it when they read, until a worker does.
A write past SQLAlchemy's objects isn't noticed; ``masthead db reindex`` mends what it leaves.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    event,
    inspect,
    select,
    true,
    update,
)
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.auth.models import User
from masthead.content.contenttype import ContentItem, ContentType, content_types_of
from masthead.content.shapes import public_shape
from masthead.content.staging import untag_staged
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.hookspecs import hookimpl
from masthead.instance import Instance, instance_of
from masthead.tags.models import Tag
from masthead.worker.jobs import Job

AT_ONCE = 1_000
"""How many items are made anew in one statement; a worker sees to the others."""

_EMPTIED = "masthead.emptied_listings"
_MAKER = "listings"
"""The kind of the one :class:`OnceMarker` row that remembers what has made the listings."""


def make_emptied(session: Session) -> None:
    """Make the listings that a transaction, which is flushed, has emptied."""
    if session.info.pop(_EMPTIED, False):
        for kind in content_types_of(instance_of(session)):
            _make(session, kind)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Make listings that are empty, as many of them are after an upgrade or a large write."""
    return [Job("content.listings", timedelta(minutes=1), make_empty)]


def make_empty(session: Session) -> bool:
    """Make some of the listings that are empty; returns whether there may be more."""
    for kind in content_types_of(instance_of(session)):
        # Asked first, for a write makes all that is cached worthless.
        if session.scalar(_empty_ids(kind).limit(1)) is not None:
            _make(session, kind)
            return True
    return False


def _make(session: Session, kind: ContentType) -> None:
    dialect = instance_of(session).database.dialect
    empty = _empty_ids(kind).limit(AT_ONCE).with_for_update(skip_locked=True)
    made = public_shape(kind, dialect, detail=False).json(dialect)
    session.execute(update(kind.table).where(kind.table.c.id.in_(empty)).values(listed=made))


def _empty_ids(kind: ContentType) -> Select[tuple[int]]:
    table = kind.table
    return select(table.c.id).where(table.c.listed.is_(None), table.c.published == true())


def empty_outdated(session: Session, instance: Instance) -> None:
    """Empty all listings where other software, or another set of plugins, has run since.

    Either may have made listings of another shape, or changed tags and authors without knowing
    whose listings show them. Safe to call at every start.
    """
    lock(session, "listings")
    maker = _maker(instance)
    known = list(session.scalars(select(OnceMarker.name).where(OnceMarker.kind == _MAKER)))
    if known == [maker]:
        return
    session.execute(delete(OnceMarker).where(OnceMarker.kind == _MAKER))
    session.add(OnceMarker(kind=_MAKER, name=maker))
    for kind in content_types_of(instance):
        kept = kind.table.c.listed.is_not(None)
        session.execute(update(kind.table).where(kept).values(listed=None))


def _maker(instance: Instance) -> str:
    """What listings depend on beside content, as a digest."""
    software = [(plugin.name, plugin.version) for plugin in instance.plugins]
    shapes = [
        (kind.name, [c.name for c in public_shape(kind, "sqlite", detail=False).columns])
        for kind in content_types_of(instance)
    ]
    return hashlib.blake2b(f"{software} {shapes}".encode(), digest_size=16).hexdigest()


@event.listens_for(ContentItem, "before_update", propagate=True)
def _empty_own(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and session.is_modified(item, include_collections=False):
        item.listed = None
        session.info[_EMPTIED] = True


@event.listens_for(ContentItem, "before_insert", propagate=True)
def _note_new(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and item.published:
        session.info[_EMPTIED] = True


@event.listens_for(Tag, "after_update")
def _empty_tagged(_mapper: Mapper[Any], connection: Connection, tag: Tag) -> None:
    for kind, session in _kinds_around(tag):
        _empty(session, connection, kind, _has_tag(kind, tag))


@event.listens_for(Tag, "before_delete")
def _untag(_mapper: Mapper[Any], connection: Connection, tag: Tag) -> None:
    """An item that loses a tag, live or in its staged copy, is another revision of it."""
    for kind, session in _kinds_around(tag):
        revised = {"revision": kind.table.c.revision + 1}
        _empty(session, connection, kind, _has_tag(kind, tag), **revised)
        untag_staged(connection, kind.table, tag.id)


@event.listens_for(User, "after_update")
def _empty_written(_mapper: Mapper[Any], connection: Connection, user: User) -> None:
    if inspect(user).attrs.display_name.history.has_changes():
        for kind, session in _kinds_around(user):
            _empty(session, connection, kind, kind.table.c.created_by == user.id)


def _has_tag(kind: ContentType, tag: Tag) -> ColumnElement[bool]:
    tagged = select(kind.links.c.item_id).where(kind.links.c.tag_id == tag.id)
    return kind.table.c.id.in_(tagged)


def _empty(
    session: Session,
    connection: Connection,
    kind: ContentType,
    condition: ColumnElement[bool],
    **changed: Any,
) -> None:
    # An update locks in any order; as everywhere, ids have theirs.
    ids = select(kind.table.c.id).where(condition).order_by(kind.table.c.id).with_for_update()
    emptied = update(kind.table).where(kind.table.c.id.in_(ids))
    connection.execute(emptied.values(listed=None, **changed))
    session.info[_EMPTIED] = True


def _kinds_around(changed: object) -> list[tuple[ContentType, Session]]:
    session = object_session(changed)
    if session is None or "masthead.instance" not in session.info:
        return []
    return [(kind, session) for kind in content_types_of(instance_of(session))]
