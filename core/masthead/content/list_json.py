"""The JSON of an item in public lists, stored with the item so that a list only joins texts.

A write of the item, of one of its tags or of its author's name invalidates the JSON: the column
``listed`` becomes null. At the end of the transaction, one statement per content type generates
what the transaction invalidated, from the live columns. Where JSON is still missing, lists generate
it as they read, until a worker's job stores it: a transaction doesn't repair what others left.

Writes that bypass SQLAlchemy's objects go unnoticed; ``masthead db reindex`` repairs their effect.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    event,
    select,
    true,
    update,
)
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.auth.models import User
from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.item import ContentItem
from masthead.content.reindexing import note_tag
from masthead.content.shapes import public_shape
from masthead.content.staging import remove_staged_tag
from masthead.db.changed_tables import UNSEEN, touch
from masthead.db.locking import lock
from masthead.db.of_transaction import change_of
from masthead.db.once import OnceMarker
from masthead.instance import Instance, instance_of
from masthead.schemas.computed import computed_columns
from masthead.tags.models import Tag

AT_ONCE = 1_000
"""The number of items per content type whose JSON a transaction generates."""

_INVALIDATED = "masthead.invalidated_list_json"
_GENERATOR = "listings"
"""The kind of the one :class:`OnceMarker` row whose name is the generator's fingerprint."""


class ListJson:
    """The statements that generate the list JSON of one content type."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        table = content_type.table
        is_missing = (table.c.listed.is_(None), table.c.published == true())
        missing = select(table.c.id).where(*is_missing).limit(AT_ONCE)
        self._missing = missing.with_for_update(skip_locked=True)
        named = table.c.id.in_(bindparam("ids", expanding=True))
        shape = public_shape(content_type, instance, detail=False).stored()
        json = shape.json(instance.database.dialect)
        generate = update(table).where(named, *is_missing).values(listed=json)
        # Without it, lists show the same.
        self._generate = generate.execution_options(**UNSEEN)

    def missing_ids(self, session: Session) -> list[int]:
        """Return ids of items without JSON, locked until the transaction ends.

        Items that another transaction has locked are left out.
        """
        return list(session.scalars(self._missing))

    def generate(self, session: Session, ids: Iterable[int]) -> None:
        """Generate the JSON of those of the given items that have none."""
        session.execute(self._generate, {"ids": list(ids)})


def list_json_by_model(instance: Instance) -> dict[type[Any], ListJson]:
    """Return the statements of each content type, by its model."""
    return {it.model: ListJson(it, instance) for it in content_types_of(instance)}


def regenerate_invalidated(session: Session) -> None:
    """Generate the JSON that a flushed transaction invalidated."""
    invalidated: dict[type[Any], set[int]] = session.info.pop(_INVALIDATED, {})
    if invalidated:
        for model, list_json in instance_of(session).shared(list_json_by_model).items():
            if model in invalidated:
                list_json.generate(session, invalidated[model])


def generate_missing(session: Session) -> bool:
    """Generate some of the missing JSON, and return whether there may be more."""
    for list_json in instance_of(session).shared(list_json_by_model).values():
        ids = list_json.missing_ids(session)
        if ids:
            list_json.generate(session, ids)
            return True
    return False


def invalidate_outdated(session: Session, instance: Instance) -> None:
    """Invalidate all list JSON if another version or set of plugins has generated it.

    That may have generated JSON of another form, or changed tags and authors without knowing the
    content types that show them. It is safe to call this at every start.
    """
    lock(session, "listings")
    fingerprint = _generator_fingerprint(instance)
    known = list(session.scalars(select(OnceMarker.name).where(OnceMarker.kind == _GENERATOR)))
    if known == [fingerprint]:
        return
    session.execute(delete(OnceMarker).where(OnceMarker.kind == _GENERATOR))
    session.add(OnceMarker(kind=_GENERATOR, name=fingerprint))
    for content_type in content_types_of(instance):
        table = content_type.table
        session.execute(update(table).where(table.c.listed.is_not(None)).values(listed=None))


def _generator_fingerprint(instance: Instance) -> str:
    """Return a digest of everything except content that list JSON depends on."""
    software = [(plugin.name, plugin.version) for plugin in instance.plugins]
    shapes = [
        (
            it.name,
            public_shape(it, instance, detail=False).stored().names,
            it.period is not None and it.period.has_whole_days(instance.settings),
            _expressions(it, instance),
        )
        for it in content_types_of(instance)
    ]
    return hashlib.blake2b(f"{software} {shapes}".encode(), digest_size=16).hexdigest()


def _expressions(content_type: ContentType, instance: Instance) -> list[str]:
    """Return the SQL of the computed fields in lists, with its values."""
    columns = computed_columns(content_type.table, content_type.computed, detail=False)
    compiled = [each.expression.compile(instance.database.engine) for each in columns]
    return [f"{each} {each.params}" for each in compiled]


@event.listens_for(ContentItem, "before_update", propagate=True)
def _invalidate_item(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and session.is_modified(item, include_collections=False):
        item.listed = None
        if item.published:
            _note(session, type(item), [item.id])


@event.listens_for(ContentItem, "after_insert", propagate=True)
def _note_new(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and item.published:
        _note(session, type(item), [item.id])


@event.listens_for(Tag, "after_update")
def _invalidate_tagged(_mapper: Mapper[Any], connection: Connection, tag: Tag) -> None:
    for content_type, session in _content_types_for(tag):
        if change_of(tag, "name").has_changes():
            note_tag(session, content_type, tag.id)
        _invalidate(session, connection, content_type, _has_tag(content_type, tag))


@event.listens_for(Tag, "before_delete")
def _remove_tag(_mapper: Mapper[Any], connection: Connection, tag: Tag) -> None:
    """Invalidate the items with the tag, and raise their revision, live and staged."""
    for content_type, session in _content_types_for(tag):
        note_tag(session, content_type, tag.id)
        revised = {"revision": content_type.table.c.revision + 1}
        _invalidate(session, connection, content_type, _has_tag(content_type, tag), **revised)
        remove_staged_tag(connection, content_type.table, tag.id)


@event.listens_for(User, "after_update")
def _invalidate_by_author(_mapper: Mapper[Any], connection: Connection, user: User) -> None:
    if change_of(user, "display_name").has_changes():
        for content_type, session in _content_types_for(user):
            by_user = content_type.table.c.created_by == user.id
            _invalidate(session, connection, content_type, by_user)


def _has_tag(content_type: ContentType, tag: Tag) -> ColumnElement[bool]:
    links = content_type.links
    tagged = select(links.c.item_id).where(links.c.tag_id == tag.id)
    return content_type.table.c.id.in_(tagged)


def _invalidate(
    session: Session,
    connection: Connection,
    content_type: ContentType,
    condition: ColumnElement[bool],
    **changed: Any,
) -> None:
    """Invalidate the JSON of the items that meet a condition, and write the changed columns."""
    table = content_type.table
    ids = select(table.c.id).where(condition).order_by(table.c.id)
    # Rows are locked in the order of their ids, which an update alone doesn't guarantee.
    invalidated = update(table).where(table.c.id.in_(ids.with_for_update()))
    values = invalidated.values(listed=None, **changed)
    found = connection.execute(values, execution_options=UNSEEN)
    if found.rowcount:
        shown = connection.scalars(ids.where(table.c.published == true()).limit(AT_ONCE)).all()
        if shown:
            touch(connection, table.name)
        _note(session, content_type.model, shown)


def _note(session: Session, model: type[Any], ids: Iterable[int]) -> None:
    """Note invalidated items, as many as the transaction will regenerate."""
    noted = session.info.setdefault(_INVALIDATED, {}).setdefault(model, set())
    noted.update(islice(ids, AT_ONCE - len(noted)))


def _content_types_for(changed: object) -> list[tuple[ContentType, Session]]:
    """Return the content types of the instance that a changed row belongs to."""
    session = object_session(changed)
    if session is None or "masthead.instance" not in session.info:
        return []
    return [(content_type, session) for content_type in content_types_of(instance_of(session))]
