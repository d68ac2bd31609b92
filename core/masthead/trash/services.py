"""Restoring and purging items in the trash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.content import restoring as content
from masthead.content.contenttype import ContentType
from masthead.content.slugs import slugs_of
from masthead.db.locking import lock_row
from masthead.db.of_items import forget_rows_of
from masthead.errors import Forbidden, Refusal, Refused
from masthead.history.reading import Unfit
from masthead.http.revisions import Precondition
from masthead.resources import restoring as resources
from masthead.resources.former_slugs import Slugs
from masthead.resources.slugs import slugs_of as resource_slugs
from masthead.resources.trashed import StoredItem, TrashedItem
from masthead.schemas.fields import default_of
from masthead.trash.kinds import PURGE, Kind, check_write
from masthead.trash.reading import FittingItem, fit_item

RESTORE, PURGE_ALL = "restore", "purge"
REVISION = 1
"""The revision of each item in the trash, as none changes there."""
OPERATIONS = (RESTORE, PURGE_ALL)


@dataclass(frozen=True)
class Restored:
    """An item that is restored from the trash."""

    kind: Kind
    item: Any
    title: str
    unfit: list[Unfit]
    """The values that don't fit any more, and are left out."""


def restore(session: Session, trashed_id: int, caller: Caller) -> Restored:
    """Restore an item from the trash: as it was, but unpublished.

    :raises NotFound: if it isn't in the trash, or the caller may not read it.
    :raises Forbidden: if the caller may not change it.
    :raises Refusal: for an item that the present rules of its kind don't allow.
    """
    trashed = lock_row(session, TrashedItem, trashed_id)
    kind = check_write(session, trashed, caller)
    if kind is None:
        raise Refused(f"The plugin of {trashed.kind} is disabled")
    stored = StoredItem.read(trashed)
    found = fit_item(session, kind, stored)
    item = kind.model(**{**_lacking(kind, found), **found.columns, "id": trashed.item_id})
    if session.get(kind.model, item.id) is not None:
        raise Refused("There is an item with this id")
    if isinstance(kind, ContentType):
        slugs: Slugs | None = slugs_of(session, kind)
        content.restore_item(session, kind, item, found.links)
    else:
        slugs = resource_slugs(session, kind) if kind.site_path else None
        resources.restore_item(session, kind, item)
    resources.restore_about(session, (kind.name, item.id), slugs, stored.about)
    record(session, "content.restore", caller, kind.name, item, title=trashed.title)
    session.delete(trashed)
    session.flush()
    return Restored(kind, item, trashed.title, found.unfit)


def _lacking(kind: Kind, found: FittingItem) -> dict[str, Any]:
    """Return the defaults of the columns that need a value and have none.

    :raises Refused: for a column without a default.
    """
    defaults = {}
    for name, column in kind.columns.items():
        if column.nullable or column.key in found.columns:
            continue
        defaults[column.key] = default_of(column)
        if defaults[column.key] is None:
            why = next((it.message for it in found.unfit if it.field == name), "Required")
            raise Refused(f"It can't be restored without a value of {name}: {why}")
    return defaults


def purge(session: Session, trashed_id: int, caller: Caller, precondition: Precondition) -> None:
    """Delete an item of the trash, and all that is left of it.

    :raises NotFound: if it isn't in the trash, or the caller may not read it.
    :raises Forbidden: if the caller may not change it.
    """
    trashed = lock_row(session, TrashedItem, trashed_id)
    check_write(session, trashed, caller)
    precondition.check(REVISION)
    purge_items(session, [trashed], caller)


def purge_items(session: Session, found: Sequence[TrashedItem], caller: Caller | None) -> None:
    """Delete locked items of the trash, with their revisions, comments and so on."""
    of_kind = defaultdict[str, list[int]](list)
    for each in found:
        of_kind[each.kind].append(each.item_id)
        item_id, title = each.item_id, each.title
        record(session, "content.purge", caller, each.kind, content_id=item_id, title=title)
    for kind, ids in sorted(of_kind.items()):
        forget_rows_of(session, kind, ids)
    rows = delete(TrashedItem).where(TrashedItem.id.in_([each.id for each in found]))
    session.execute(rows.execution_options(synchronize_session=False))


def run_bulk(
    session: Session, operation: str, ids: Sequence[int], caller: Caller
) -> dict[str, Any]:
    """Restore or purge items of the trash, each judged for itself.

    :returns: ``affected``, the number of items that succeeded, and ``failed``, which has an id and
        an error for each of the others.
    :raises Forbidden: if the caller may purge nothing.
    """
    if operation == PURGE_ALL and not caller.may(PURGE):
        raise Forbidden
    # In one order, so that two calls don't wait for each other.
    locked = select(TrashedItem).where(TrashedItem.id.in_(ids)).order_by(TrashedItem.id)
    found = {each.id: each for each in session.scalars(locked.with_for_update())}
    failed = {item_id: "Not found" for item_id in ids if item_id not in found}
    for item_id, trashed in found.items():
        try:
            check_write(session, trashed, caller)
            if operation == RESTORE:
                with session.begin_nested():
                    restore(session, item_id, caller)
        except Refusal as error:
            failed[item_id] = error.message
    done = [each for item_id, each in found.items() if item_id not in failed]
    if operation == PURGE_ALL:
        purge_items(session, done, caller)
    return {
        "success": True,
        "affected": len(done),
        "failed": [{"id": item_id, "error": failed[item_id]} for item_id in sorted(failed)],
    }
