"""The endpoints of a user's own links."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from masthead import (
    MOST_ROWS,
    SIGNED_IN,
    SUCCESS,
    ListOf,
    Object,
    Page,
    ProblemCode,
    Request,
    api_address,
    endpoint,
    verify_own_login,
    wrong_field,
)
from masthead_oidc import attempts, links, logins, schemas
from masthead_oidc.registrations import chosen_registration
from masthead_oidc.views import return_address

_PATH = "/api/auth/oidc/links"


@endpoint(
    "GET",
    _PATH,
    name="oidc.list_own_links",
    permission=SIGNED_IN,
    needs_login=True,
    page=MOST_ROWS,
    returns=ListOf(Object(schemas.LINK)),
)
def list_own_links(request: Request) -> Page:
    """List the persons at providers who you are, newest first."""
    return links.list_links(request.db, request.window, request.identity.id)


@endpoint(
    "POST",
    f"{_PATH}/begin",
    name="oidc.begin_link",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.NEW_OWN_LINK,
    returns=schemas.LINKING,
    refuses=frozenset({404, 429}),
    pool="passwords",
)
def begin_link(request: Request) -> Any:
    """Begin to link a person at a provider to yourself.

    Open the address in the window. The browser returns as from a login; send the ticket to
    `POST /api/auth/oidc/links`. If a login by the password needs a second step, the answer is 400
    with `code` and `step`, as the 401 of the login; send the same with the code of the step.
    """
    registration = chosen_registration(request.instance, request.data.get("provider"))
    return_to = return_address(request, request.data)
    _verify(request)
    linking = attempts.seal_linking(request.instance, request.identity.id)
    query = {"provider": registration.name, "returnTo": return_to, "link": linking}
    address = api_address(request.instance.settings, "/api/auth/oidc/login")
    return {"url": f"{address}?{urlencode(query)}"}


@endpoint(
    "POST",
    _PATH,
    name="oidc.link_person",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.OWN_LINK_TICKET,
    returns=schemas.LINK,
    refuses=frozenset({503}),
    pool="passwords",
)
def link_person(request: Request) -> Any:
    """Link the person of a ticket to yourself; you can then log in there."""
    caller = request.identity
    ticket = attempts.open_ticket(request.instance, request.data["ticket"])
    person = logins.identify_by(request.instance, ticket, caller.id)
    return links.describe(links.link_person(request.db, person, caller))


@endpoint(
    "DELETE",
    f"{_PATH}/{{id}}",
    name="oidc.unlink_person",
    permission=SIGNED_IN,
    needs_login=True,
    returns=SUCCESS,
)
def unlink_person(request: Request) -> Any:
    """Delete a link of yours, unless it is your only way to log in; your other tokens end."""
    links.unlink_person(request.db, request.matchdict["id"], request.identity)
    return {"success": True}


def _verify(request: Request) -> None:
    """Let the caller prove to be the user, by the password or a recent login at a provider.

    The link is a way to log in, so the password needs the second step of a login by it.

    :raises Refusal: without a proof.
    """
    password = request.data.get("currentPassword")
    if password is not None:
        verify_own_login(request, password, request.data.get("code"))
    elif not logins.has_just_logged_in(request.db, request.identity):
        message = "Required, unless you have logged in at a provider some minutes ago"
        raise wrong_field("currentPassword", ProblemCode.REQUIRED, message)
