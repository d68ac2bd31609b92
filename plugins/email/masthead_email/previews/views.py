"""The endpoints of previews."""

from __future__ import annotations

from typing import Any

from masthead import Request, Resource, endpoint
from masthead_email.newsletters.public_letter import archive_values
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.preparing import read_snapshot
from masthead_email.previews import schemas
from masthead_email.previews.services import letter_of, preview, reader_values


def preview_stored(resource: Resource, request: Request) -> Any:
    """Return a stored letter as one reader gets it."""
    stored = read_snapshot(request.db, resource.model, request.matchdict["id"])
    is_newsletter = resource is NEWSLETTERS
    return preview(
        request.db,
        letter_of(stored, request.data),
        reader_values(request.db, request.data.get("subscriber_id"), request.identity),
        unsubscribe=is_newsletter,
        values=archive_values(request.db, stored) if is_newsletter else None,
    )


@endpoint(
    "POST",
    f"/api/staff/{NEWSLETTERS.path}/preview",
    name="staff.newsletters.preview-unsaved",
    permission=NEWSLETTERS.write_permission,
    body=schemas.CHANGES,
    returns=schemas.PREVIEW,
    refuses=frozenset({403}),
    pool="reads",
)
def preview_unsaved(request: Request) -> Any:
    """Preview a newsletter that isn't saved."""
    reader = reader_values(request.db, request.data.get("subscriber_id"), request.identity)
    return preview(request.db, letter_of(None, request.data), reader, unsubscribe=True)
