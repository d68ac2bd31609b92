"""Bulk operations: an operation on many items, with a list of the items that failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.services import NOT_APPROVED, delete_items, lock_items, set_published
from masthead.db import utcnow

PUBLISH, UNPUBLISH, DELETE = "publish", "unpublish", "delete"
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
        unready = {i.id for i in items if not i.published and i.approval_status != APPROVED}
        failed += [{"id": item_id, "error": NOT_APPROVED} for item_id in sorted(unready)]
        items = [item for item in items if item.id not in unready]
    if operation == DELETE:
        delete_items(session, content_type, items, caller)
    else:
        _publish(session, content_type, items, operation == PUBLISH, caller)
    return {"success": True, "affected": len(items), "failed": failed}


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
