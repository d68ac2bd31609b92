"""The endpoints of previews."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead import Endpoint, Request, Resource, endpoint
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.newsletters.archive import archive_values
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.permissions import READ
from masthead_email.preparing import read_snapshot
from masthead_email.previews import schemas
from masthead_email.previews.services import letter_of, preview, reader_values
from masthead_email.templates.resource import TEMPLATES

_KINDS = (
    (NEWSLETTERS, "a newsletter"),
    (COMPOSED_EMAILS, "a composed e-mail"),
    (TEMPLATES, "a template"),
)


def preview_endpoints() -> list[Endpoint]:
    """Return the endpoint of each kind of stored letter."""
    return [
        Endpoint(
            name=f"staff.{resource.name}.preview",
            method="POST",
            path=f"/api/staff/{resource.path}/{{id}}/preview",
            view=partial(preview_stored, resource),
            permission=resource.read_permission,
            summary=f"Preview {label}, with changes that aren't saved",
            body=schemas.CHANGES,
            returns=schemas.PREVIEW,
            pool="reads",
        )
        for resource, label in _KINDS
    ]


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
    "/api/staff/email/preview",
    name="staff.email.preview",
    permission=READ,
    body=schemas.CHANGES,
    returns=schemas.PREVIEW,
    refuses=frozenset({403}),
    pool="reads",
)
def preview_unsaved(request: Request) -> Any:
    """Preview a newsletter that isn't saved."""
    reader = reader_values(request.db, request.data.get("subscriber_id"), request.identity)
    return preview(request.db, letter_of(None, request.data), reader, unsubscribe=True)
