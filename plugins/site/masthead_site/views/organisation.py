"""The endpoints of the organisation."""

from __future__ import annotations

from typing import Any

from masthead import (
    ORGANISATION_BODY,
    PUBLIC,
    STORED_ORGANISATION,
    Request,
    RevisedObject,
    change_organisation,
    endpoint,
    lock_organisation,
    read_organisation,
    tag_response,
)
from masthead_site import schemas
from masthead_site.services.site import read_site
from masthead_site.settings import MAX_AGE

FACTS = RevisedObject(
    name="site",
    label="Fact about the organisation",
    plural="Facts about the organisation",
    area="site",
    path="/api/staff/site",
    body=ORGANISATION_BODY,
    read=lambda session: read_organisation(session)[0],
    lock=lock_organisation,
    write=change_organisation,
    audit="site.update",
)


@endpoint(
    "GET",
    "/api/site",
    name="site.show",
    permission=PUBLIC,
    returns=schemas.SITE,
    max_age=MAX_AGE,
)
def show_site(request: Request) -> Any:
    """Show the organisation, the images at fixed places, and the navigation."""
    return read_site(request.db)


@endpoint(
    "GET",
    "/api/staff/site",
    name="staff.site.show",
    permission="site.read",
    returns=STORED_ORGANISATION,
)
def show_organisation(request: Request) -> Any:
    """Show the facts about the organisation."""
    return _answer(request)


@endpoint(
    "PUT",
    "/api/staff/site",
    name="staff.site.update",
    permission="site.write",
    returns=STORED_ORGANISATION,
    body=ORGANISATION_BODY,
)
def update_organisation(request: Request) -> Any:
    """Change facts about the organisation."""
    request.precondition.check(lock_organisation(request.db))
    FACTS.change(request.db, request.data, request.identity)
    return _answer(request)


def _answer(request: Request) -> Any:
    facts, revision = read_organisation(request.db)
    tag_response(request, revision)
    return facts
