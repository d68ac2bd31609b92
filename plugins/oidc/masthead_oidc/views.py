"""The endpoints of logins and logouts."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import parse_qs, urlencode

from pyramid.response import Response

from masthead import (
    LOGGED_IN,
    PUBLIC,
    SIGNED_IN,
    SUCCESS,
    Busy,
    Refused,
    Request,
    Unauthenticated,
    endpoint,
)
from masthead_oidc import attempts, logins, schemas
from masthead_oidc.id_tokens import find_issuer, read_logout_token
from masthead_oidc.provider import authorization_address
from masthead_oidc.registrations import (
    CALLBACK,
    Registration,
    chosen_registration,
    registrations,
)
from masthead_oidc.settings import DEFAULT, PASSWORD_LOGINS

logger = logging.getLogger(__name__)

_PATH = "/api/auth/oidc"
_MOST_BYTES = 20_000


@endpoint("GET", _PATH, name="oidc.status", permission=PUBLIC, returns=schemas.STATUS)
def show_status(request: Request) -> Any:
    """Show whether staff can log in at a provider, for a page with a login form."""
    names = [each.name for each in registrations(request.instance).all]
    passwords = request.instance.settings[PASSWORD_LOGINS] or not names
    return {"enabled": bool(names), "passwordLogins": passwords, "providers": names}


@endpoint(
    "GET",
    f"{_PATH}/login",
    name="oidc.login",
    permission=PUBLIC,
    query=schemas.LOGIN,
    returns="text/html",
    status=302,
    refuses=frozenset({404}),
    pool="passwords",
)
def begin_login(request: Request) -> Response:
    """Lead the browser to a provider.

    Link to this address, or open it in the window. The browser returns to `returnTo`, with
    `ticket` in the fragment of the address, or with `error`: `cancelled`, `expired`, `unavailable`
    or `provider_error`. Send the ticket to `POST /api/auth/oidc/token`.
    """
    registration = chosen_registration(request.instance, request.query.get("provider"))
    return_to = return_address(request, request.query)
    linking, user_id = request.query.get("link"), None
    if linking is not None:
        user_id = attempts.open_linking(request.instance, linking)
        if user_id is None:
            return _hand_back(return_to, error="expired")
    attempt = attempts.new_attempt(registration, user_id, return_to)
    try:
        response = _redirect(authorization_address(registration, attempt))
    except Busy:
        return _hand_back(return_to, error="unavailable")
    attempts.keep_attempt(request, response, attempt)
    return response


@endpoint(
    "GET",
    CALLBACK,
    name="oidc.callback",
    permission=PUBLIC,
    query=schemas.CALLBACK,
    returns="text/html",
    status=302,
    refuses=frozenset({404}),
)
def finish_login(request: Request) -> Response:
    """Lead the browser back from the first provider, which opens this address."""
    return _finish(request, DEFAULT)


@endpoint(
    "GET",
    f"{CALLBACK}/{{provider}}",
    name="oidc.callback_of_provider",
    permission=PUBLIC,
    query=schemas.CALLBACK,
    returns="text/html",
    status=302,
    refuses=frozenset({404}),
)
def finish_login_at(request: Request) -> Response:
    """Lead the browser back from a further provider, which opens this address."""
    return _finish(request, request.matchdict["provider"])


@endpoint(
    "POST",
    f"{_PATH}/token",
    name="oidc.token",
    permission=PUBLIC,
    body=schemas.TICKET,
    returns=LOGGED_IN,
    refuses=frozenset({401, 403, 404, 429, 503}),
    pool="passwords",
)
def issue_token(request: Request) -> Any:
    """Exchange the ticket of a login at the provider for a login token.

    If a second step is needed, the answer is 401 with `code` and `step`, as of a login by password;
    send the ticket again with the code. The answer is 403 with `code` if the person gets no token:
    `not_linked`, `already_linked`, `not_creatable`, `disabled` or `no_administrator`.
    """
    chosen_registration(request.instance, None)
    return logins.log_in(request, request.data["ticket"], request.data.get("code"))


@endpoint(
    "POST",
    f"{_PATH}/logout",
    name="oidc.logout",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.LOGOUT,
    returns=schemas.LOGGED_OUT,
    pool="passwords",
)
def log_out(request: Request) -> Any:
    """Log out at the provider: the client discards its token, and opens the address."""
    return_to = return_address(request, request.data)
    return {"url": logins.log_out(request, return_to)}


@endpoint(
    "POST",
    f"{_PATH}/backchannel-logout",
    name="oidc.backchannel_logout",
    permission=PUBLIC,
    raw_body=_MOST_BYTES,
    raw_type="application/x-www-form-urlencoded",
    returns=SUCCESS,
    refuses=frozenset({404, 503}),
    pool="passwords",
)
def end_logins(request: Request) -> Any:
    """End all login tokens of a user, when the provider calls (Back-Channel Logout)."""
    chosen_registration(request.instance, None)
    sent = parse_qs(request.raw.decode("ascii", "replace")).get("logout_token", [""])[0]
    try:
        registration = find_issuer(registrations(request.instance), sent)
        claims = read_logout_token(registration, sent)
        logins.end_logins(request.db, registration, claims)
    except Unauthenticated as error:
        # The status that the specification requires (section 2.8).
        raise Refused(error.message) from None
    return {"success": True}


def return_address(request: Request, sent: Any) -> str:
    """Return the address to which the browser returns: that of a query or a body, or the first.

    :raises Invalid: for an address that isn't allowed.
    """
    default = attempts.return_addresses(request.instance)[0]
    if "returnTo" not in sent:
        return default
    return attempts.check_return_address(request.instance, sent["returnTo"])


def _finish(request: Request, provider: str) -> Response:
    """Lead the browser back to the page from which an attempt began.

    :param provider: the name of the provider whose address was opened.
    """
    registration = chosen_registration(request.instance, provider)
    attempt = attempts.find_attempt(request, request.query.get("state", ""))
    if attempt is None:
        return _hand_back(attempts.return_addresses(request.instance)[0], error="expired")
    outcome = _outcome(request, attempt, registration)
    response = _hand_back(attempt.return_to, **outcome)
    attempts.forget_attempt(request, response, attempt)
    return response


def _outcome(
    request: Request, attempt: attempts.Attempt, registration: Registration
) -> dict[str, str]:
    """Return the parameters of the fragment with which the browser returns."""
    query, issuer = request.query, registration.issuer
    if attempt.provider != registration.name:
        logger.warning("A provider answers for another one: %s", registration.name)
        return {"error": "provider_error"}
    if query.get("error") == "access_denied":
        return {"error": "cancelled"}
    if "error" in query or not query.get("code") or query.get("iss", issuer) != issuer:
        logger.warning("The provider of single sign-on answers: %r", query.get("error"))
        return {"error": "provider_error"}
    return {"ticket": attempts.seal_ticket(request.instance, attempt, query["code"])}


def _hand_back(address: str, **fragment: str) -> Response:
    """Lead the browser to an address; its fragment reaches no server and no log."""
    return _redirect(f"{address}#{urlencode(fragment)}")


def _redirect(address: str) -> Response:
    response = Response(status=302, content_type="text/html", charset="UTF-8")
    response.headers["Location"] = address
    response.headers["Cache-Control"] = "no-store"
    return response
