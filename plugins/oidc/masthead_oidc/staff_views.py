"""The endpoints of links, for administrators."""

from __future__ import annotations

from typing import Any

from masthead import ADMIN, MOST_ROWS, SUCCESS, ListOf, Object, Page, Request, endpoint
from masthead_oidc import links, schemas

_PATH = "/api/staff/oidc/links"


@endpoint(
    "GET",
    _PATH,
    name="oidc.list_links",
    permission=ADMIN,
    query=schemas.LINKS,
    page=MOST_ROWS,
    returns=ListOf(Object(schemas.LINK)),
)
def list_links(request: Request) -> Page:
    """List the persons at providers who are users, newest first."""
    return links.list_links(request.db, request.window, request.query.get("userId"))


@endpoint(
    "POST",
    _PATH,
    name="oidc.add_link",
    permission=ADMIN,
    body=schemas.NEW_LINK,
    returns=schemas.LINK,
)
def add_link(request: Request) -> dict[str, Any]:
    """Link a person at a provider to a user, who can then log in there."""
    return links.describe(links.add_link(request.db, request.data, request.identity))


@endpoint(
    "DELETE",
    f"{_PATH}/{{id}}",
    name="oidc.delete_link",
    permission=ADMIN,
    returns=SUCCESS,
)
def delete_link(request: Request) -> Any:
    """Delete a link, which ends the login tokens of the user."""
    links.delete_link(request.db, request.matchdict["id"], request.identity)
    return {"success": True}
