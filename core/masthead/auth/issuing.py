"""Issuing login tokens, verifying passwords, revoking both, and throttling failures."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth import passwords
from masthead.auth.grants import read_grants_in
from masthead.auth.models import User
from masthead.auth.schemas import describe_user
from masthead.auth.services import logins
from masthead.auth.services.users import WRONG_CURRENT, get_user
from masthead.db import fold, utcnow
from masthead.errors import ProblemCode, Refusal, Refused, TooMany, Unauthenticated, wrong_field
from masthead.http.request import Request
from masthead.instance import instance_of
from masthead.ports.login import PASSWORD, SECOND_STEP_REQUIRED, Login, SecondStep


def issue_token(
    request: Request,
    user_id: int,
    method: str,
    *,
    code: str | None = None,
    verified: int | None = None,
) -> dict[str, Any]:
    """Return a login token of a user, after a proof of the person, as the answer to a login.

    :param method: the name of the proof, which the hook ``masthead_login`` gets.
    :param code: the code of a second step, if the client has sent one.
    :param verified: the user's generation at the proof, if a later change of it refuses the login.
    :returns: ``token``, ``expiresAt`` and ``user``.
    :raises Refusal: if the user is disabled, or a plugin refuses the login or needs a second step.
        The transaction is committed nevertheless, unless the view raises something else.
    """
    grants = read_grants_in(request.db, user_id)
    if grants is None or verified not in (None, grants.generation):
        raise Unauthenticated("Invalid credentials")
    user = get_user(request.db, user_id)
    _ask_plugins(request, user, method, code)
    logins.LOGINS.add("succeeded")
    tokens, now = request.registry["masthead.tokens"], utcnow()
    return {
        "token": tokens.issue(user_id, grants.username, grants.generation, now),
        "expiresAt": tokens.expiry(now),
        "user": describe_user(user, grants),
    }


def end_tokens(session: Session, user_id: int, keep: str | None = None) -> None:
    """End all login tokens of a user, and links for a new password.

    :param keep: the id of a token that stays valid, such as that of the user's own request.
    """
    ended = {"generation": User.generation + 1, "kept_token": keep}
    session.execute(update(User).where(User.id == user_id).values(ended))
    record(session, "user.end-tokens", None, "user", content_id=user_id)


def revoke_credentials(session: Session, user_id: int) -> None:
    """End everything by which somebody is a user: the password, all tokens, and those of plugins.

    The user can log in again by a new password only, or by what a plugin gives them afterwards. A
    transaction that also changes the roles changes them first, because the lock of that change
    precedes that of the user's row.
    """
    session.execute(update(User).where(User.id == user_id).values(password=""))
    end_tokens(session, user_id)
    instance_of(session).hooks.masthead_revoke_credentials(session=session, user_id=user_id)


def verify_own_password(request: Request, password: str) -> int:
    """Return the caller's generation, after a check of the caller's password.

    A wrong one is recorded and throttled like a failed login, because the caller may have stolen
    the token. Declare the endpoint with ``pool="passwords"`` and the statuses 404 and 429.

    :raises Invalid: if it is wrong; the transaction is committed with the record.
    :raises TooMany: after too many failures.
    """
    # Read outside the request's transaction: hashing must not hold SQLite's one write lock.
    with request.instance.database.session(read_only=True) as session:
        user = get_user(session, request.identity.id)
        check_throttle(request, session, user.username, user)
    if not passwords.verify(user.password, password):
        record_failure(request, user.username, user)
        refusal = wrong_field(*WRONG_CURRENT, named=False)
        refusal.is_recorded = True
        raise refusal
    return user.generation


def verify_own_login(request: Request, password: str, code: str | None) -> int:
    """Return the caller's generation, after proofs that a login by password would need, too.

    They are the password, see :func:`verify_own_password`, and what the hook ``masthead_login``
    asks for. Use it before a change that gives the caller another way to log in.

    :param code: the code of a second step, if the client has sent one (``LOGIN_CODE``).
    :raises Refusal: without the proofs; 400 instead of 401, which would end the client's session.
    """
    generation = verify_own_password(request, password)
    try:
        _ask_plugins(request, get_user(request.db, request.identity.id), PASSWORD, code)
    except Unauthenticated as error:
        refusal: Refusal = Refused(error.message)
        if error.details.get("code") == SECOND_STEP_REQUIRED:
            refusal = wrong_field("code", ProblemCode.REQUIRED, error.message, named=False)
        refusal.details, refusal.is_recorded = error.details, True
        raise refusal from None
    return generation


def check_throttle(request: Request, session: Session, name: str, user: User | None) -> None:
    """Refuse a login after too many failures.

    :param name: the name that was sent, which counts if no user has it.
    :raises TooMany: with the seconds until the next attempt.
    """
    key = logins.throttle_key(user, name, request.remote_addr or "")
    logins.check_throttle(session, key, request.instance.settings[logins.THROTTLE])


def record_failure(request: Request, name: str, user: User | None) -> None:
    """Record a failed login in the request's transaction, and count it towards the throttle."""
    logins.LOGINS.add("failed")
    fingerprint = request.registry["masthead.tokens"].fingerprint(fold(name))
    logins.record_failure(request.db, user, fingerprint)
    if request.instance.settings[logins.THROTTLE]:
        key = logins.throttle_key(user, name, request.remote_addr or "")
        logins.count_failure(request.db, key)


def _ask_plugins(request: Request, user: User, method: str, code: str | None) -> None:
    """Ask the plugins about a login.

    :raises Refusal: with a record, if one refuses it or needs a second step.
    """
    login = Login(
        user_id=user.id,
        username=user.username,
        roles=tuple(role.name for role in user.roles),
        method=method,
        code=code,
        address=request.remote_addr or "",
        request=request,
    )
    try:
        steps = request.instance.hooks.masthead_login(session=request.db, login=login)
    except Refusal as refusal:
        refusal.is_recorded = True
        if isinstance(refusal, TooMany):
            logins.LOGINS.add("throttled")
        else:
            record_failure(request, user.username, user)
        raise
    if steps:
        raise _missing(steps[0])


def _missing(step: SecondStep) -> Unauthenticated:
    """Return the refusal of a login that lacks a step."""
    logins.LOGINS.add("incomplete")
    refusal = Unauthenticated(step.message)
    refusal.is_recorded = True
    refusal.details = {"code": SECOND_STEP_REQUIRED, "step": step.name}
    if step.token is not None:
        refusal.details["stepToken"] = step.token
    return refusal
