"""Create, change and delete content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, PENDING
from masthead.approval.ended import note_ended
from masthead.approval.gate import Watch, note_asked, way_of_update
from masthead.approval.services import lock_item, may_edit_live, take_back
from masthead.approval.settings import FOUR_EYES
from masthead.approval.transitions import restore_approval
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.live_edits import LiveEdit, begin_live_edit
from masthead.content.public_changes import note_items
from masthead.content.slugs import (
    Naming,
    derive_slugs,
    drop_taken_slug,
    settle_slug,
    slugs_of,
)
from masthead.content.staging import staff_tag_ids, staff_values, stage
from masthead.content.taglinks import TAG_IDS, link_new, relink, tag_ids_of
from masthead.content.times import SCHEDULE, UNPUBLISH, hiding_times
from masthead.content.unpublished import note_deleted
from masthead.content.waiting import is_due
from masthead.db import utcnow
from masthead.db.changed_tables import seen_if
from masthead.db.of_items import forget_rows_of
from masthead.errors import NotFound, Problem, ProblemCode, Refused
from masthead.history.approved import note_due, note_live_edit
from masthead.history.recording import begin_save, record_save
from masthead.history.snapshots import State
from masthead.http.revisions import Precondition
from masthead.instance import instance_of
from masthead.references.checking import drop_missing
from masthead.resources.callbacks import ItemSave, note_after_commit
from masthead.resources.deleted import clear_references_to
from masthead.resources.external_ids import forget_ids
from masthead.resources.former_slugs import check_slug, forget_slugs, set_slug
from masthead.resources.importing import INDEXED, WANTED_SLUG
from masthead.resources.trashed import move_to_trash
from masthead.resources.uses import refuse_used
from masthead.schemas.fields import values_of_new
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER
from masthead.search.services import forget_items, index_items, index_new, text_indexer
from masthead.tags.services import check_tags

NOT_APPROVED = "Content must be approved before it can be published"


def create_items(
    session: Session,
    content_type: ContentType,
    bodies: Sequence[Mapping[str, Any]],
    caller: Caller | None,
) -> list[Any]:
    """Create drafts, in a number of statements that hardly depends on the number of drafts.

    :param bodies: checked values by wire name, with the ids of tags as ``tagIds``; an import adds
        the slug that it wants as ``wantedSlug``, and may add the indexed form of the text.
    :raises Invalid: for values that contradict each other, or an unknown tag.
    """
    author, index = caller.id if caller else None, text_indexer(content_type)
    items, texts = [], []
    for body in bodies:
        values = values_of_new(content_type.fields, body)
        content_type.check_save(session, ItemSave(None, None, values, caller))
        own = {f.attribute: values[f.name] for f in content_type.fields if f.name != SLUG_FIELD}
        items.append(content_type.model(**own, created_by=author, edited_by=author))
        texts.append(body.get(INDEXED) or index(values))
    check_tags(session, list({tag_id for body in bodies for tag_id in body.get(TAG_IDS, ())}))
    _store_new(session, content_type, items, bodies)
    tagged = zip(items, (body.get(TAG_IDS, ()) for body in bodies), strict=True)
    link_new(session, content_type, tagged)
    index_new(session, content_type, items, texts)
    return items


def _store_new(
    session: Session,
    content_type: ContentType,
    items: Sequence[Any],
    bodies: Sequence[Mapping[str, Any]],
) -> None:
    """Flush new items with the slugs that staff chose, else with those from wishes and titles."""
    slugs, titled = slugs_of(session, content_type), []
    for item, body in zip(items, bodies, strict=True):
        if chosen := body.get(SLUG_FIELD):
            check_slug(session, slugs, chosen, None, take_over=body.get(TAKE_OVER, False))
            set_slug(session, slugs, item, chosen)
        else:
            titled.append((item, body.get(WANTED_SLUG) or item.title))
    if content_type.slug_on_approval:
        session.add_all(items)
        session.flush()
    else:
        derive_slugs(session, content_type, titled)


def update_item(
    session: Session,
    content_type: ContentType,
    item: Any,
    sent: Mapping[str, Any],
    caller: Caller | None,
    *,
    restored_from: int | None = None,
) -> None:
    """Change a locked item: live, or by staging the edits.

    :param sent: checked values by wire name; may have ``published``, ``tagIds``, ``takeOver``,
        ``stage``, by which the edits count as those of a caller without approval power, and
        ``live``, by which they change the live copy even if there are staged edits.
    :param restored_from: the number of the revision that the values are from.
    :raises Invalid: for values that contradict each other, or an unknown tag.
    :raises Forbidden: for ``live`` if the caller's edits need an approval.
    :raises Refused: for publishing an item that isn't approved, or if a plugin objects to it.
    """
    now = utcnow()
    make_due_live(session, content_type, item)
    change = _compare(session, content_type, item, sent, caller)
    publishes = change.publish and not item.published
    if publishes and (change.needs_approval or item.approval_status != APPROVED):
        raise Refused(NOT_APPROVED, Problem("published", ProblemCode.NOT_ALLOWED, NOT_APPROVED))
    if not change.fields and change.publish == item.published:
        return
    _check(session, content_type, item, change, take_over=sent.get(TAKE_OVER, False))
    before, watch = begin_save(session, content_type, item), Watch(session, content_type, item)
    # First, because an item that the same save unpublishes has no live copy to stage edits for.
    set_published(session, content_type, [item], change.publish, caller)
    live, former = _stage(session, content_type, item, change), Naming.of(item)
    _write(content_type, item, live)
    if change.needs_approval:
        take_back(session, item, caller)
    _note_editor(session, item, change, caller)
    item.revision += 1
    item.updated_at = now
    wanted = live.get(SLUG_FIELD, former.slug)
    settle_slug(session, content_type, item, former, wanted, now, needed=False)
    # Last, because these flush the item: so its row is written once.
    _settle_staged(session, content_type, item, change, caller)
    content_type.date_first_publishing(item, now)
    if TAG_IDS in live:
        relink(session, content_type, item, live[TAG_IDS])
    if not change.fields.keys().isdisjoint((*content_type.search_fields, TAG_IDS)):
        index_items(session, content_type, [item])
    session.flush()
    watch.require(way_of_update(restored_from, publishes=publishes), caller)
    _record(session, content_type, item, before, change, caller, restored_from)


def drop_staged(
    session: Session,
    content_type: ContentType,
    item_id: int,
    caller: Caller,
    precondition: Precondition,
) -> None:
    """Drop an item's staged edits, and keep its live copy as it is.

    :raises NotFound: for a missing item, or one without staged edits.
    """
    item, now = lock_item(session, content_type, item_id), utcnow()
    precondition.check(item.revision)
    if item.staged is None or is_due(item, now):
        raise NotFound("Nothing is staged")
    before = begin_save(session, content_type, item)
    item.staged = None
    restore_approval(item)
    item.revision += 1
    item.updated_at = now
    # Last, because it flushes the item.
    index_items(session, content_type, [item])
    record(session, "content.drop-staged", caller, content_type.name, item, title=item.title)
    record_save(session, content_type, item, before, caller, relinked=True)


def make_due_live(
    session: Session, content_type: ContentType, item: Any, caller: Caller | None = None
) -> None:
    """Make the waiting edits of a locked item live if their time has come.

    :param caller: the user who has changed that time just now.
    """
    now = utcnow()
    if is_due(item, now):
        # The edits were asked about at their approval.
        note_asked(session, item)
        drop_taken_slug(session, content_type, item)
        drop_missing(session, content_type.fields, item)
        content_type.make_live(session, item, now)
        note_due(session, content_type, item)
        record(session, "content.go-live", caller, content_type.name, item, title=item.title)


def set_published(
    session: Session,
    content_type: ContentType,
    items: Sequence[Any],
    published: bool,
    caller: Caller | None,
) -> list[Any]:
    """Publish or unpublish items whose approval was checked.

    Unpublishing takes a pending request back, so that approving an edit that was requested before
    doesn't publish the item again.

    :returns: the items that changed.
    """
    action = "content.publish" if published else "content.unpublish"
    changing = [item for item in items if item.published != published]
    for item in changing:
        item.published = published
        item.changed_at = utcnow()
        if item.approval_status == PENDING and not published:
            take_back(session, item, caller)
        record(session, action, caller, content_type.name, item, title=item.title)
    return changing


def delete_items(
    session: Session, content_type: ContentType, items: Sequence[Any], caller: Caller | None
) -> None:
    """Delete items: move them to the trash, or delete them permanently if there is none.

    :raises Refused: for an item that must not be deleted, or is in use.
    """
    model, ids = content_type.model, [item.id for item in items]
    content_type.before_delete(session, items)
    refuse_used(session, content_type.name, content_type.label, ids, caller)
    for item in items:
        record(session, "content.delete", caller, content_type.name, item, title=item.title)
    session.flush()
    is_kept = move_to_trash(session, content_type, items, caller)
    note_deleted(session, items)
    note_ended(session, items)
    note_items(session, items)
    clear_references_to(session, content_type.name, ids)
    seen = seen_if(any(item.published for item in items))
    session.execute(delete(model).where(model.id.in_(ids)).execution_options(**seen))
    forget_items(session, content_type, ids)
    forget_ids(session, content_type.name, ids)
    forget_slugs(session, content_type.name, ids)
    if not is_kept:
        forget_rows_of(session, content_type.name, ids)
    note_after_commit(session, content_type, ids)
    content_type.deleted(session, ids)


@dataclass(frozen=True)
class _Change:
    """The effect of an update, compared with the item as staff see it, or with the live copy."""

    caller: Caller | None
    beside: LiveEdit | None
    """The edit of the live copy beside staged edits; None for any other update."""
    shown: dict[str, Any]
    """All fields before the update, by wire name; with the tags if they were sent."""
    fields: dict[str, Any]
    """The values that change."""
    edits: dict[str, Any]
    """Those of ``fields`` whose edits need approval, unless the caller may edit live."""
    needs_approval: bool
    """Whether there are edits, and the caller may not edit live."""
    publish: bool
    hiding: frozenset[str]
    """The times among the edits that hold at once, because they only hide the item."""


def _compare(
    session: Session,
    content_type: ContentType,
    item: Any,
    sent: Mapping[str, Any],
    caller: Caller | None,
) -> _Change:
    beside = begin_live_edit(session, content_type, item, sent, caller)
    shown = staff_values(content_type, item) if beside is None else dict(beside.shown)
    if TAG_IDS in sent and beside is None:
        shown[TAG_IDS] = staff_tag_ids(session, content_type, item)
    elif TAG_IDS in sent:
        shown[TAG_IDS] = tag_ids_of(session, content_type, item.id)
    fields = {name: value for name, value in _writable(sent, shown).items() if value != shown[name]}
    free = {f.name for f in content_type.fields if not f.staged}
    edits = {name: value for name, value in fields.items() if name not in free}
    return _Change(
        caller=caller,
        beside=beside,
        shown=shown,
        fields=fields,
        edits=edits,
        needs_approval=bool(edits)
        and (sent.get("stage", False) or not may_edit_live(session, content_type, caller)),
        publish=bool(sent.get("published", item.published)),
        hiding=hiding_times(item, edits, utcnow()),
    )


def _check(
    session: Session, content_type: ContentType, item: Any, change: _Change, *, take_over: bool
) -> None:
    """Refuse values that contradict each other, unknown tags, and slugs that the item can't have.

    :raises Invalid: naming the first mistake.
    """
    if change.fields:
        save = ItemSave(item, change.shown, change.shown | change.fields, change.caller)
        content_type.check_save(session, save)
    check_tags(session, change.fields.get(TAG_IDS, ()))
    if chosen := change.fields.get(SLUG_FIELD):
        slugs = slugs_of(session, content_type)
        check_slug(session, slugs, chosen, item.id, take_over=take_over)


def _record(
    session: Session,
    content_type: ContentType,
    item: Any,
    before: State | None,
    change: _Change,
    caller: Caller | None,
    restored_from: int | None,
) -> None:
    """Record the revision of an update, and that it is approved if the caller may approve it."""
    if change.beside is not None and change.fields:
        change.beside.record(session, item, before, caller, change.fields.keys())
        return
    relinked = TAG_IDS in change.fields
    saved = record_save(
        session, content_type, item, before, caller, relinked=relinked, restored_from=restored_from
    )
    edits = () if change.needs_approval else change.edits
    note_live_edit(session, content_type, item, saved, edits)


def _settle_staged(
    session: Session, content_type: ContentType, item: Any, change: _Change, caller: Caller | None
) -> None:
    """Make staged edits live if the update has moved their time, or merge a live edit into them."""
    if change.beside is None:
        make_due_live(session, content_type, item, caller)
    else:
        change.beside.merge(session, item, change.shown, change.fields, caller)


def _note_editor(session: Session, item: Any, change: _Change, caller: Caller | None) -> None:
    """Note the last editor; the one of staged edits still counts for the four-eyes rule."""
    hides_another = change.beside is not None and instance_of(session).settings[FOUR_EYES]
    if change.edits and caller is not None and not hides_another:
        item.edited_by = caller.id


def _writable(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    writable = {name: value for name, value in sent.items() if name in shown}
    if TAG_IDS in writable:
        writable[TAG_IDS] = sorted(writable[TAG_IDS])
    return writable


def _stage(
    session: Session, content_type: ContentType, item: Any, change: _Change
) -> dict[str, Any]:
    """Stage the edits if the item has a live copy to protect; return the values that go live."""
    live = change.fields
    if change.beside is not None:
        return live
    if change.edits and (item.staged is not None or (item.published and change.needs_approval)):
        stage(session, content_type, item, change.shown | change.edits)
        staged = change.edits.keys() - change.hiding
        live = {name: value for name, value in live.items() if name not in staged}
    return live


def _write(content_type: ContentType, item: Any, changed: Mapping[str, Any]) -> None:
    now = utcnow()
    private = {f.name for f in content_type.fields if not f.public} - {SCHEDULE}
    if (until := item.vanishes_at) is not None and until <= now:
        # The item may be visible again.
        private -= {UNPUBLISH, content_type.expires}
    for field in content_type.fields:
        if field.name in changed and field.name != SLUG_FIELD:
            setattr(item, field.attribute, changed[field.name])
    if changed.keys() - private:
        item.changed_at = now
