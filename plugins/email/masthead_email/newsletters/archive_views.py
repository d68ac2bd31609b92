"""The public endpoints of the archive, and the one that removes a newsletter from it."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import MOST_ROWS, PUBLIC, SUCCESS, Page, Request, endpoint, lock_row
from masthead_email.newsletters import archive, schemas
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.public_letter import PATH
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.rendering.languages import whole_page
from masthead_email.subscribers import pages

_POLICY = (
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'; sandbox allow-popups"
)


# The table of newsletters is private, so that a change of it ends no cached response.
@endpoint(
    "GET",
    PATH,
    name="newsletters.list",
    permission=PUBLIC,
    returns=schemas.ARCHIVE,
    page=MOST_ROWS,
    keep=False,
)
def list_newsletters(request: Request) -> Page:
    """List the newsletters of the archive, newest first."""
    return archive.list_public(request.db, request.window)


@endpoint(
    "GET",
    f"{PATH}/{{id}}",
    name="newsletters.show",
    permission=PUBLIC,
    returns=schemas.ARCHIVED,
    keep=False,
)
def show_newsletter(request: Request) -> dict[str, Any]:
    """Show a newsletter of the archive, with HTML that is safe within a page."""
    found = archive.read_public(request.db, request.matchdict["id"])
    return {**found, "html": schemas.PAGE_HTML.cleaned(found["html"])}


@pages.page_endpoint("GET", f"{PATH}/{{id}}/page", name="newsletters.page")
def show_page(request: Request) -> Response:
    """Show a newsletter of the archive as a page, as mail programs show it."""
    found = archive.read_public(request.db, request.matchdict["id"])
    page = whole_page(found["html"], found["language"], found["subject"])
    response = Response(page, content_type="text/html", charset="UTF-8")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "no-store"
    return response


@endpoint(
    "POST",
    f"/api/staff/{NEWSLETTERS.path}/{{id}}/withdraw",
    name="staff.newsletters.withdraw",
    permission=NEWSLETTERS.write_permission,
    returns=SUCCESS,
)
def withdraw(request: Request) -> dict[str, Any]:
    """Remove a newsletter from the archive, also after it was sent."""
    newsletter = lock_row(request.db, Newsletter, request.matchdict["id"])
    archive.withdraw(request.db, newsletter, request.identity.id)
    return {"success": True}
