"""Logins by the provider: their proofs, their login tokens, and their ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, or_, select
from sqlalchemy.orm import Session

from masthead import (
    Busy,
    Caller,
    Instance,
    Request,
    Unauthenticated,
    end_tokens,
    issue_token,
    utcnow,
)
from masthead_oidc.accounts import sign_in
from masthead_oidc.attempts import LIFETIME, Ticket, open_ticket
from masthead_oidc.claims import Person, identify
from masthead_oidc.id_tokens import is_subject
from masthead_oidc.models import Link, ProviderLogin
from masthead_oidc.provider import logout_address, logout_endpoint
from masthead_oidc.registrations import Registration, registrations

METHOD = "oidc"
_JUST = timedelta(minutes=10)
"""The time for which a login proves the person for a change of links."""
_NEVER = datetime.min.replace(tzinfo=UTC)


def log_in(request: Request, ticket: str, code: str | None) -> dict[str, Any]:
    """Return a login token for a ticket, as the answer to a login by password.

    The first call asks the provider. If a second step is needed, the same ticket is sent again.

    :param code: the code of a second step, if the client has sent one.
    :raises Refusal: if the ticket, the person or the user is refused, or a second step is needed.
    """
    instance = request.instance
    key = hashlib.sha256(ticket.encode()).hexdigest()
    # Read outside the request's transaction: waiting for the provider must not hold SQLite's lock.
    with instance.database.session(read_only=True) as session:
        is_known = session.scalar(_with_ticket(key)) is not None
    person = None if is_known else identify_by(instance, open_ticket(instance, ticket), None)
    # Locked, so that one ticket is exchanged for one token only.
    login = request.db.scalar(_with_ticket(key).with_for_update())
    if login is None and person is not None:
        session_id = person.claims.get("sid")
        login = ProviderLogin(
            ticket=key,
            link=sign_in(request.db, person),
            id_token=person.id_token,
            session_id=session_id if is_subject(session_id) else None,
            created_at=utcnow(),
            expires_at=utcnow() + LIFETIME,
        )
        request.db.add(login)
    if login is None or login.token_id is not None or login.expires_at <= utcnow():
        raise Unauthenticated("The login has expired; begin again")
    answer = issue_token(request, login.link.user_id, METHOD, code=code)
    login.token_id, login.expires_at = _token_id(answer["token"]), answer["expiresAt"]
    return answer


def log_out(request: Request, return_to: str) -> str | None:
    """End the login of the caller's token, and return the address that ends the provider's session.

    :returns: None if the token isn't of such a login, or the provider has no such address now.
    """
    # First, because waiting for the provider must not hold SQLite's one write lock.
    with request.instance.database.session(read_only=True) as session:
        known = session.scalars(_of_caller(request.identity)).one_or_none()
        issuer = known.link.issuer if known else None
    registration = registrations(request.instance).of_issuer(issuer)
    try:
        endpoint = logout_endpoint(registration) if registration else None
    except Busy:
        endpoint = None
    login = request.db.scalars(_of_caller(request.identity)).one_or_none()
    if login is None:
        return None
    request.db.delete(login)
    if registration is None or endpoint is None:
        return None
    return logout_address(registration, endpoint, login.id_token, return_to)


def identify_by(instance: Instance, ticket: Ticket, user_id: int | None) -> Person:
    """Return the person of a ticket.

    :param user_id: the id of the user for a link to the person; None for a login.
    :raises Unauthenticated: if the ticket was made for another purpose, or isn't valid.
    :raises Busy: if the provider can't be reached.
    """
    registration = registrations(instance).find(ticket.provider)
    if registration is None or ticket.user_id != user_id:
        raise Unauthenticated("The login has expired; begin again")
    return identify(registration, ticket)


def has_just_logged_in(session: Session, caller: Caller) -> bool:
    """Whether the caller's token is that of a login at a provider some minutes ago."""
    login = session.scalars(_of_caller(caller)).one_or_none()
    return login is not None and (login.created_at or _NEVER) > utcnow() - _JUST


def end_logins(session: Session, registration: Registration, claims: Mapping[str, Any]) -> None:
    """End all login tokens of the user in a logout token, which names the person or the session.

    :raises Unauthenticated: if it names neither.
    """
    named = []
    if is_subject(claims.get("sub")):
        named.append(Link.subject == claims["sub"])
    if is_subject(claims.get("sid")):
        of_session = select(ProviderLogin.link_id).where(ProviderLogin.session_id == claims["sid"])
        named.append(Link.id.in_(of_session))
    if not named:
        raise Unauthenticated("The logout token names neither a person nor a session")
    links = select(Link).where(Link.issuer == registration.issuer, or_(*named))
    for link in session.scalars(links).all():
        end_tokens(session, link.user_id)
        session.execute(delete(ProviderLogin).where(ProviderLogin.link_id == link.id))


def delete_expired(session: Session) -> None:
    """Delete the logins whose tickets and tokens have expired."""
    session.execute(delete(ProviderLogin).where(ProviderLogin.expires_at <= utcnow()))


def _of_caller(caller: Caller) -> Select[ProviderLogin]:
    """Select the login of the caller's token."""
    # Logins without a token yet are those of nobody.
    own = (ProviderLogin.token_id == (caller.token or ""), Link.user_id == caller.id)
    return select(ProviderLogin).join(Link, Link.id == ProviderLogin.link_id).where(*own)


def _with_ticket(key: str) -> Select[ProviderLogin]:
    return select(ProviderLogin).where(ProviderLogin.ticket == key)


def _token_id(token: str) -> str:
    """Return the ``jti`` of a login token that was just issued."""
    from joserfc import jws

    return str(json.loads(jws.extract_compact(token.encode()).payload or b"{}")["jti"])
