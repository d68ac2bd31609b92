"""Attempts to log in: each is kept in a cookie of the browser until the provider answers."""

from __future__ import annotations

import re
import secrets
from dataclasses import asdict, dataclass
from datetime import timedelta

from pyramid.response import Response

from masthead import (
    Instance,
    ProblemCode,
    Request,
    Unauthenticated,
    api_address,
    seal,
    site_address,
    unseal,
    wrong_field,
)
from masthead_oidc.registrations import CALLBACK, Registration
from masthead_oidc.settings import RETURN_ADDRESSES

LIFETIME = timedelta(minutes=10)
"""The time that a person has at the provider."""
TICKET_LIFETIME = timedelta(minutes=2)
"""The time that a client has to send the ticket; authorization codes of providers end as soon."""
_COOKIE, _TICKET, _LINKING = "oidc.attempt", "oidc.ticket", "oidc.linking"
_PLAIN = re.compile(r"[!-~]+")
_LEAVES = re.compile(r'[\\#<>"]|/(\.|%2e)+(/|\?|$)', re.IGNORECASE)
"""Parts of an address that browsers change, or that lead to a folder above."""


@dataclass(frozen=True)
class Attempt:
    """The values that the answer of the provider is compared with."""

    provider: str
    """The name of the provider."""
    user_id: int | None
    """The id of the user for a link to the person; None for a login."""
    state: str
    nonce: str
    verifier: str
    return_to: str


@dataclass(frozen=True)
class Ticket:
    """The answer of the provider to an attempt: the authorization code, and its proofs."""

    provider: str
    user_id: int | None
    code: str
    nonce: str
    verifier: str


def new_attempt(registration: Registration, user_id: int | None, return_to: str) -> Attempt:
    """Return an attempt with random values.

    :param user_id: the id of the user for a link to the person; None for a login.
    :param return_to: the address to which the browser returns; see :func:`check_return_address`.
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    return Attempt(registration.name, user_id, state, nonce, verifier, return_to)


def keep_attempt(request: Request, response: Response, attempt: Attempt) -> None:
    """Store an attempt in the browser; each attempt has a cookie of its own."""
    sealed = seal(request.instance, _COOKIE, asdict(attempt), LIFETIME)
    _set_cookie(request, response, attempt.state, sealed)


def find_attempt(request: Request, state: str) -> Attempt | None:
    """Return the attempt of this browser with a state; None without one."""
    cookie = request.cookies.get(_cookie_name(request.instance, state))
    values = unseal(request.instance, _COOKIE, cookie) if cookie else None
    if values is None or not secrets.compare_digest(values["state"].encode(), state.encode()):
        return None
    return Attempt(**values)


def forget_attempt(request: Request, response: Response, attempt: Attempt) -> None:
    """Delete the cookie of an attempt, so that it can't be finished twice."""
    _set_cookie(request, response, attempt.state, None)


def seal_ticket(instance: Instance, attempt: Attempt, code: str) -> str:
    """Return the ticket for an authorization code as text."""
    ticket = Ticket(attempt.provider, attempt.user_id, code, attempt.nonce, attempt.verifier)
    return seal(instance, _TICKET, asdict(ticket), TICKET_LIFETIME)


def open_ticket(instance: Instance, text: str) -> Ticket:
    """Return a ticket.

    :raises Unauthenticated: if it is forged or expired.
    """
    values = unseal(instance, _TICKET, text)
    if values is None:
        raise Unauthenticated("The login has expired; begin again")
    return Ticket(**values)


def seal_linking(instance: Instance, user_id: int) -> str:
    """Return a text with which the browser of a user begins to link a person to the user."""
    return seal(instance, _LINKING, user_id, TICKET_LIFETIME)


def open_linking(instance: Instance, text: str) -> int | None:
    """Return the user in such a text; None if it is forged or expired."""
    user_id: int | None = unseal(instance, _LINKING, text)
    return user_id


def return_addresses(instance: Instance) -> tuple[str, ...]:
    """Return the addresses to which the browser may return; the first one is the default."""
    settings = instance.settings
    return settings[RETURN_ADDRESSES] or (site_address(settings, ""),)


def check_return_address(instance: Instance, address: str) -> str:
    """Return an address to which the browser may return.

    It begins with one of the addresses in the settings, as text: no two programs can read it
    differently.

    :raises Invalid: for any other address.
    """
    allowed = (
        address.startswith(each) and address[len(each) :][:1] in ("", "/", "?")
        for each in return_addresses(instance)
    )
    if not _PLAIN.fullmatch(address) or _LEAVES.search(address) or not any(allowed):
        message = "Must be below one of the addresses of masthead.oidc.return_addresses"
        raise wrong_field("returnTo", ProblemCode.NOT_ALLOWED, message)
    return address


def _set_cookie(request: Request, response: Response, state: str, value: str | None) -> None:
    response.set_cookie(
        _cookie_name(request.instance, state),
        value,
        max_age=LIFETIME if value else 0,
        path="/",
        secure=_is_secure(request.instance),
        httponly=True,
        # The provider leads the browser here from its own site, which "strict" would hide it from.
        samesite="lax",
    )


def _cookie_name(instance: Instance, state: str) -> str:
    # The prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis).
    prefix = "__Host-" if _is_secure(instance) else ""
    return f"{prefix}masthead-oidc-{re.sub('[^A-Za-z0-9_-]', '', state)[:16]}"


def _is_secure(instance: Instance) -> bool:
    return api_address(instance.settings, CALLBACK).startswith("https:")
