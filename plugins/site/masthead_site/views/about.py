"""The endpoints of the texts about the organisation."""

from __future__ import annotations

from typing import Any

from masthead import PUBLIC, Request, RevisedObject, endpoint
from masthead_site import schemas
from masthead_site.services import about

TEXTS = RevisedObject(
    name="about",
    label="Text about the organisation",
    area="site",
    path="/api/staff/about",
    body=schemas.TEXTS_BODY,
    read=about.read_texts,
    lock=about.lock_texts,
    write=about.write_texts,
)


@endpoint("GET", "/api/about", name="about.show", permission=PUBLIC, returns=schemas.ABOUT)
def show_about(request: Request) -> Any:
    """Show mission, history and values of the organisation."""
    return about.read_public_about(request.db)


@endpoint(
    "GET",
    "/api/staff/about",
    name="staff.about.show",
    permission="site.read",
    returns=schemas.TEXTS,
)
def show_texts(request: Request) -> Any:
    """Show mission and history."""
    return _texts(request)


@endpoint(
    "PUT",
    "/api/staff/about",
    name="staff.about.update",
    permission="site.write",
    returns=schemas.TEXTS,
    body=schemas.TEXTS_BODY,
)
def update_texts(request: Request) -> Any:
    """Change mission or history."""
    request.precondition.check(about.lock_texts(request.db))
    TEXTS.change(request.db, request.data, request.identity)
    return _texts(request)


def _texts(request: Request) -> Any:
    """Return the texts, with their revision as the ETag of the answer."""
    request.response.etag = str(about.revision_of_texts(request.db))
    return about.read_texts(request.db)
