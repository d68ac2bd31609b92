"""Creating, changing and deleting content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED
from masthead.approval.services import lock_item, may_edit_live
from masthead.approval.transitions import restore_approval, return_to_draft
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.staging import TAG_IDS, shown_tag_ids, shown_values, stage
from masthead.content.taglinks import link_new, relink
from masthead.content.unpublished import note_deleted
from masthead.db import utcnow
from masthead.db.slugs import flush_with_slugs
from masthead.errors import NotFound, Refused
from masthead.schemas.fields import values_of_new
from masthead.search.services import forget_items, index_items
from masthead.tags.services import check_tags

NOT_APPROVED = "Content must be approved before it can be published"


def create_items(
    session: Session,
    content_type: ContentType,
    bodies: Sequence[Mapping[str, Any]],
    caller: Caller | None,
) -> list[Any]:
    """Make drafts, many in hardly more statements than one.

    :param bodies: checked values by wire name; ``tagIds`` are the tags.
    :raises Invalid: where values don't fit together, or a tag is unknown.
    """
    author = caller.id if caller else None
    items = []
    for body in bodies:
        values = values_of_new(content_type.fields, body)
        content_type.check(values)
        own = {f.attribute: values[f.name] for f in content_type.fields}
        items.append(content_type.model(**own, created_by=author, edited_by=author))
    check_tags(session, list({tag_id for body in bodies for tag_id in body.get(TAG_IDS, ())}))
    if content_type.slug_on_approval:
        session.add_all(items)
        session.flush()
    else:
        flush_with_slugs(session, content_type.model, [(item, item.title) for item in items])
    tagged = zip(items, (body.get(TAG_IDS, ()) for body in bodies), strict=True)
    link_new(session, content_type, tagged)
    index_items(session, content_type, items)
    return items


def update_item(
    session: Session,
    content_type: ContentType,
    item: Any,
    sent: Mapping[str, Any],
    caller: Caller | None,
) -> None:
    """Change what was sent of a locked item: live, or beside the live copy.

    :param sent: checked values by wire name; ``published`` and ``tagIds`` among them.
    :raises Invalid: where the values don't fit together, or a tag is unknown.
    :raises Refused: where it would publish what isn't approved.
    """
    change = _compare(session, content_type, item, sent, caller)
    publishes = change.publish and not item.published
    if publishes and (change.needs_approval or item.approval_status != APPROVED):
        raise Refused(NOT_APPROVED)
    if not change.fields and change.publish == item.published:
        return
    if change.edits:
        content_type.check(change.shown | change.fields)
    check_tags(session, change.fields.get(TAG_IDS, ()))
    # First of all, for what the same save takes down has no live copy that edits go beside.
    set_published(session, content_type, [item], change.publish, caller)
    live = _stage(session, content_type, item, change)
    _write(content_type, item, live)
    content_type.date_first_publishing(item, utcnow())
    if change.needs_approval:
        return_to_draft(item)
    if change.edits and caller is not None:
        item.edited_by = caller.id
    item.revision += 1
    item.updated_at = utcnow()
    # After all else, as these flush the item: its row is written once.
    if TAG_IDS in live:
        relink(session, content_type, item, live[TAG_IDS])
    if not change.fields.keys().isdisjoint(content_type.search_fields):
        index_items(session, content_type, [item])
    session.flush()


def drop_staged(session: Session, content_type: ContentType, item_id: int, caller: Caller) -> None:
    """Drop an item's staged edits; its live copy stays as it is.

    :raises NotFound: where there is no such item, or it has none.
    """
    item = lock_item(session, content_type, item_id)
    if item.staged is None:
        raise NotFound("Nothing is staged")
    item.staged = None
    restore_approval(item)
    item.revision += 1
    item.updated_at = utcnow()
    # After all else, as it flushes the item.
    index_items(session, content_type, [item])
    _record(session, content_type, "content.drop-staged", item, caller)


def set_published(
    session: Session,
    content_type: ContentType,
    items: Sequence[Any],
    published: bool,
    caller: Caller | None,
) -> list[Any]:
    """Publish or take down items whose approval was checked.

    :returns: those that weren't so already.
    """
    action = "content.publish" if published else "content.unpublish"
    changing = [item for item in items if item.published != published]
    for item in changing:
        item.published = published
        item.changed_at = utcnow()
        _record(session, content_type, action, item, caller)
    return changing


def delete_items(
    session: Session, content_type: ContentType, items: Sequence[Any], caller: Caller | None
) -> None:
    """Delete items for good."""
    model = content_type.model
    for item in items:
        _record(session, content_type, "content.delete", item, caller)
    session.flush()
    note_deleted(session, items)
    ids = [item.id for item in items]
    session.execute(delete(model).where(model.id.in_(ids)))
    forget_items(session, content_type, ids)


def lock_items(session: Session, content_type: ContentType, ids: Sequence[int]) -> dict[int, Any]:
    """Items by id, read afresh and locked, in the order of their ids so that nobody deadlocks."""
    model = content_type.model
    rows = (
        select(model)
        .where(model.id.in_(ids))
        .order_by(model.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {item.id: item for item in session.scalars(rows)}


@dataclass(frozen=True)
class _Change:
    """What an update asks for, compared with the item as staff see it."""

    shown: dict[str, Any]
    """All fields before the update, by wire name; the tags too where they were sent."""
    fields: dict[str, Any]
    """The values that become others."""
    edits: dict[str, Any]
    """Those among them whose edits are approved."""
    needs_approval: bool
    """Whether the caller may not make the edits live."""
    publish: bool


def _compare(
    session: Session,
    content_type: ContentType,
    item: Any,
    sent: Mapping[str, Any],
    caller: Caller | None,
) -> _Change:
    shown = shown_values(content_type, item)
    if TAG_IDS in sent:
        shown[TAG_IDS] = shown_tag_ids(session, content_type, item)
    fields = {name: value for name, value in _writable(sent, shown).items() if value != shown[name]}
    free = {f.name for f in content_type.fields if not f.staged}
    edits = {name: value for name, value in fields.items() if name not in free}
    return _Change(
        shown=shown,
        fields=fields,
        edits=edits,
        needs_approval=bool(edits) and not may_edit_live(session, content_type, caller),
        publish=bool(sent.get("published", item.published)),
    )


def _writable(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    writable = {name: value for name, value in sent.items() if name in shown}
    if TAG_IDS in writable:
        writable[TAG_IDS] = sorted(writable[TAG_IDS])
    return writable


def _stage(
    session: Session, content_type: ContentType, item: Any, change: _Change
) -> dict[str, Any]:
    """Write the edits beside the live copy where they belong there; returns what goes live."""
    live = change.fields
    if change.edits and (item.staged is not None or (item.published and change.needs_approval)):
        stage(session, content_type, item, change.shown | change.edits)
        live = {name: value for name, value in live.items() if name not in change.edits}
    return live


def _write(content_type: ContentType, item: Any, changed: Mapping[str, Any]) -> None:
    for field in content_type.fields:
        if field.name in changed:
            setattr(item, field.attribute, changed[field.name])
    if changed:
        item.changed_at = utcnow()


def _record(
    session: Session, content_type: ContentType, action: str, item: Any, caller: Caller | None
) -> None:
    record(
        session,
        action,
        caller.id if caller else None,
        content_type=content_type.name,
        content_id=item.id,
        title=item.title,
    )
