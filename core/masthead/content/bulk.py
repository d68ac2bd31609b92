"""Bulk operations: an operation on many items, with a list of the items that failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED
from masthead.approval.gate import ask, proposed
from masthead.approval.publications import PublicationWay
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.locking import lock_items
from masthead.content.services import NOT_APPROVED, delete_items, set_published
from masthead.db import utcnow
from masthead.errors import Refused
from masthead.resources.uses import used_items

PUBLISH, UNPUBLISH, DELETE = "publish", "unpublish", "delete"
EDIT_WAITS = "The edit of this item waits for approval; the live copy stays as it is"
OPERATIONS = (PUBLISH, UNPUBLISH, DELETE)


def run_bulk(
    session: Session, content_type: ContentType, operation: str, ids: Sequence[int], caller: Caller
) -> dict[str, Any]:
    """Publish, unpublish or delete the given items.

    :returns: ``affected``, the number of items that succeeded, and ``failed``, which has an id and
        an error for each of the others.
    """
    found = lock_items(session, content_type, ids)
    failed = [{"id": item_id, "error": "Not found"} for item_id in ids if item_id not in found]
    items = list(found.values())
    if operation == PUBLISH:
        unready = {item.id: text for item in items if (text := _obstacle(item))}
        failed += [{"id": item_id, "error": unready[item_id]} for item_id in sorted(unready)]
        items = [item for item in items if item.id not in unready]
        refused = _ask(session, content_type, items, caller)
        failed += list(map(_failure, refused.keys(), refused.values()))
        items = [item for item in items if item.id not in refused]
    if operation == DELETE:
        used = used_items(session, content_type.name, content_type.label, [*found], caller)
        failed += [{"id": item_id, "error": used[item_id]} for item_id in sorted(used)]
        items = [item for item in items if item.id not in used]
        delete_items(session, content_type, items, caller)
    else:
        _publish(session, content_type, items, operation == PUBLISH, caller)
    return {"success": True, "affected": len(items), "failed": failed}


def _ask(
    session: Session, content_type: ContentType, items: Sequence[Any], caller: Caller
) -> dict[int | str, Refused]:
    """Ask all plugins about the items that are to be published, and return the refusals by id."""
    hidden = [item for item in items if not item.published]
    candidates = proposed(session, content_type, hidden, edited=False)
    return ask(session, candidates, PublicationWay.PUBLISHING, caller)


def _failure(item_id: int | str, refusal: Refused) -> dict[str, Any]:
    problems = [each.described() for each in refusal.problems]
    return {"id": item_id, "error": refusal.message, "fields": problems}


def _obstacle(item: Any) -> str:
    """Return the reason why an item can't be published as staff see it; blank if it can."""
    if item.approval_status == APPROVED:
        return ""
    if not item.published:
        return NOT_APPROVED
    return EDIT_WAITS if item.staged is not None else ""


def _publish(
    session: Session,
    content_type: ContentType,
    items: Sequence[Any],
    published: bool,
    caller: Caller,
) -> None:
    now = utcnow()
    for item in set_published(session, content_type, items, published, caller):
        content_type.date_first_publishing(item, now)
        item.revision += 1
        item.updated_at = now
