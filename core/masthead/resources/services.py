"""Create, change and delete the items of a resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.gate import Watch, proposed, require, way_of_update
from masthead.approval.publications import PublicationWay
from masthead.approval.services import note_edit
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.db.unique import unique
from masthead.errors import NotFound, ProblemCode, wrong_field
from masthead.history.approved import note_live_edit
from masthead.history.recording import begin_save, record_save
from masthead.persons.services import remember_change
from masthead.resources.callbacks import ItemSave
from masthead.resources.declaration import Resource
from masthead.resources.deleted import forget_deleted
from masthead.resources.importing import WANTED_SLUG
from masthead.resources.kept import PUBLISHED
from masthead.resources.slugs import check_chosen, choose_slug, remember_slug
from masthead.resources.trashed import move_to_trash
from masthead.resources.uses import refuse_used
from masthead.schemas.fields import values_of_new
from masthead.schemas.slugs import TAKE_OVER
from masthead.search.services import index_items


def get_item(session: Session, resource: Resource | Approvable, item_id: int | str) -> Any:
    """Return an item of a resource or content type.

    :raises NotFound: for an item that does not exist.
    """
    item = session.get(resource.model, item_id)
    if item is None:
        raise NotFound
    return item


def create_item(
    session: Session, resource: Resource, values: Mapping[str, Any], caller: Caller | None
) -> Any:
    """Create an item, such as one that a visitor sends, and return it.

    :param values: checked values by wire name.
    :raises Invalid: for values that contradict each other, or that have to be unique and aren't.
    :raises Refused: if ``before_change`` or another plugin objects.
    """
    [item] = create_items(session, resource, [values], caller)
    return item


def create_items(
    session: Session,
    resource: Resource,
    bodies: Sequence[Mapping[str, Any]],
    caller: Caller | None,
    way: PublicationWay = PublicationWay.CREATION,
) -> list[Any]:
    """Create items, and return them.

    :param bodies: checked values by wire name; an import adds the slug that it wants as
        ``wantedSlug``.
    :param way: the way by which items become public that are published at once.
    :raises Invalid: for values that the plugin refuses, or that have to be unique and aren't.
    :raises Refused: if a plugin objects to the publication of one.
    """
    new = [values_of_new(resource.fields, body) for body in bodies]
    for values, body in zip(new, bodies, strict=True):
        resource.before_change(session, ItemSave(None, None, values, caller))
        choose_slug(session, resource, None, body)
    times = dict.fromkeys(("created_at", "updated_at"), utcnow())
    items = [resource.model(**_attributes(resource, values), **times) for values in new]
    if resource.approval is not None and caller is not None:
        for item in items:
            item.created_by = item.edited_by = caller.id
    _set_keys(resource, items, bodies)
    taken = wrong_field("id", ProblemCode.ALREADY_EXISTS, "There is one already")
    with unique(session, taken, resource.model.id):
        resource.flush(session, items)
    for item, body in zip(items, bodies, strict=True):
        check_chosen(item, body)
    public = [item for item in items if resource.is_public(item)]
    require(session, proposed(session, resource, public, applied=True), way, caller)
    if resource.search_fields:
        index_items(session, resource, items)
    for item in items:
        if getattr(item, PUBLISHED, False):
            record(session, "content.publish", caller, resource.name, item)
    return items


def update_item(
    session: Session,
    resource: Resource,
    item: Any,
    values: Mapping[str, Any],
    caller: Caller | None,
    *,
    restored_from: int | None = None,
) -> None:
    """Change a locked item; values that equal the present ones don't raise its revision.

    :param values: checked values by wire name.
    :param restored_from: the number of the revision that the values are from.
    :raises Invalid: for values that the plugin refuses, or that have to be unique and aren't.
    :raises Refused: for an item that must not change.
    """
    shown = {f.name: getattr(item, f.attribute) for f in resource.fields}
    allowed = {f.name for f in resource.editable_fields}
    changed = {n: value for n, value in values.items() if n in allowed and value != shown[n]}
    resource.before_change(session, ItemSave(item, shown, shown | changed, caller))
    if not changed:
        return
    choose_slug(session, resource, item.id, changed | {TAKE_OVER: values.get(TAKE_OVER, False)})
    before = begin_save(session, resource, item) if resource.keeps_revisions else None
    watch = Watch(session, resource, item, asks=resource.becomes_public)
    for attribute, value in _attributes(resource, changed).items():
        setattr(item, attribute, value)
    edits = resource.approval is not None and changed.keys() & resource.approved_fields
    if resource.approval is not None and edits:
        note_edit(session, resource.approval, item, caller)
    item.revision += 1
    item.updated_at = utcnow()
    resource.flush(session, [item])
    publishes = bool(changed.get(PUBLISHED, False))
    watch.require(way_of_update(restored_from, publishes=publishes), caller)
    remember_slug(session, resource, item, shown)
    recorded = record_save(session, resource, item, before, caller, restored_from=restored_from)
    note_live_edit(session, resource, item, recorded, edits or ())
    if resource.person in changed and resource.keeps_addresses:
        former, current = shown[resource.person], changed[resource.person]
        remember_change(session, resource.name, item, former, current)
    if changed.keys() & set(resource.search_fields):
        index_items(session, resource, [item])
    if PUBLISHED in changed:
        action = "content.publish" if item.published else "content.unpublish"
        record(session, action, caller, resource.name, item)


def delete_item(session: Session, resource: Resource, item: Any, caller: Caller | None) -> None:
    """Delete a locked item, as ``delete_items`` does.

    :raises Refused: for an item that must not be deleted, or is in use.
    """
    delete_items(session, resource, [item], caller)


def delete_items(
    session: Session, resource: Resource, items: Sequence[Any], caller: Caller | None
) -> None:
    """Delete locked items: move them to the trash, or delete them permanently if they have none.

    :raises Refused: for an item that must not be deleted, or is in use.
    """
    ids = [item.id for item in items]
    resource.before_delete(session, items)
    refuse_used(session, resource.name, resource.label, ids, caller)
    for item in items:
        record(session, "content.delete", caller, resource.name, item)
    session.flush()
    is_kept = move_to_trash(session, resource, items, caller)
    forget_deleted(session, resource, ids, is_kept=is_kept)
    for item in items:
        session.delete(item)
    session.flush()
    resource.deleted(session, ids)


def _set_keys(resource: Resource, items: list[Any], bodies: Sequence[Mapping[str, Any]]) -> None:
    """Set the ids of named items, and the slugs that an import wants."""
    for item, body in zip(items, bodies, strict=True):
        if resource.named:
            item.id = body["id"]
        if body.get(WANTED_SLUG):
            item.slug = body[WANTED_SLUG]


def _attributes(resource: Resource, values: Mapping[str, Any]) -> dict[str, Any]:
    return {f.attribute: values[f.name] for f in resource.fields if f.name in values}
