"""Making, listing, renaming and revoking API tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, joinedload

from masthead import (
    Caller,
    Forbidden,
    NotFound,
    Page,
    Precondition,
    ProblemCode,
    Refused,
    Window,
    instance_of,
    lock,
    lock_row,
    record,
    utcnow,
    wrong_field,
)
from masthead_apitokens.models import ApiToken
from masthead_apitokens.settings import MAX_DAYS, NOTICE_DAYS
from masthead_apitokens.token_texts import digest_of, new_token

_KIND = "api-tokens"
_ADMIN = "admin"
_MOST = 100
"""The number of tokens that a user may have."""
_KEPT = timedelta(days=30)
"""The time for which an expired token is listed."""


def create_token(session: Session, data: Mapping[str, Any], caller: Caller) -> tuple[ApiToken, str]:
    """Make a token of the caller, and return it with its text.

    :raises Invalid: for powers that the caller lacks, or a time that has passed or is too late.
    :raises Refused: for too many tokens.
    """
    permissions, approves = data["permissions"], data.get("approves", ())
    _check_held("permissions", permissions, caller.permissions)
    _check_held("approves", approves, caller.approves)
    _check_expiry(session, data["expiresAt"])
    lock(session, f"apitokens {caller.id}")  # for the number of tokens
    own = select(func.count()).where(ApiToken.user_id == caller.id)
    if (session.scalar(own) or 0) >= _MOST:
        raise Refused(f"There are {_MOST} API tokens already; revoke one first")
    text = new_token()
    token = ApiToken(
        digest=digest_of(text),
        name=data["name"],
        user_id=caller.id,
        permissions=sorted(permissions),
        approves=sorted(approves),
        expires_at=data["expiresAt"],
        notified_at=_known_end(session, data["expiresAt"]),
    )
    session.add(token)
    session.flush()
    _record(session, "create", token, caller, permissions=token.permissions)
    return token, text


def list_tokens(session: Session, window: Window, caller: Caller, *, everyones: bool) -> Page:
    """Return a page of the caller's tokens, or of those of all users, newest first.

    :raises Forbidden: if the caller asks for those of all and is no administrator.
    """
    if everyones and not caller.may(_ADMIN):
        raise Forbidden
    found = select(ApiToken) if everyones else select(ApiToken).filter_by(user_id=caller.id)
    total = session.scalar(select(func.count()).select_from(found.subquery())) or 0
    newest = found.order_by(ApiToken.id.desc()).options(joinedload(ApiToken.user))
    return Page(session.scalars(newest.limit(window.limit).offset(window.offset)).all(), total)


def get_token(session: Session, token_id: int, caller: Caller) -> ApiToken:
    """Return a token that the caller may see: an own one, or any for an administrator.

    :raises NotFound: if there is none.
    """
    token = session.get(ApiToken, token_id, options=[joinedload(ApiToken.user)])
    return _visible(token, caller)


def rename_token(
    session: Session, token_id: int, name: str | None, caller: Caller, precondition: Precondition
) -> ApiToken:
    """Change the name of a token; None changes nothing."""
    token = _visible(lock_row(session, ApiToken, token_id), caller)
    precondition.check(token.revision)
    if name is not None and name != token.name:
        _record(session, "rename", token, caller, former=token.name, to=name)
        token.name = name
        token.revision += 1
    return token


def revoke_token(
    session: Session, token_id: int, caller: Caller, precondition: Precondition
) -> None:
    """Delete a token, which is invalid from then on."""
    token = _visible(lock_row(session, ApiToken, token_id), caller)
    precondition.check(token.revision)
    _record(session, "revoke", token, caller)
    session.delete(token)


def revoke_tokens_of(session: Session, user_id: int) -> None:
    """Delete all tokens of a user."""
    own = select(ApiToken).filter_by(user_id=user_id).with_for_update()
    for token in session.scalars(own).all():
        _record(session, "revoke", token, None)
        session.delete(token)


def revoke_all(session: Session) -> int:
    """Delete all tokens, and return their number."""
    return len(session.scalars(delete(ApiToken).returning(ApiToken.id)).all())


def delete_expired(session: Session) -> None:
    """Delete the tokens that expired a month ago."""
    session.execute(delete(ApiToken).where(ApiToken.expires_at <= utcnow() - _KEPT))


def _visible(token: ApiToken | None, caller: Caller) -> ApiToken:
    if token is None or (token.user_id != caller.id and not caller.may(_ADMIN)):
        raise NotFound
    return token


def _check_held(field: str, wanted: Collection[str], held: Collection[str]) -> None:
    for name in wanted:
        if name not in held:
            raise wrong_field(field, ProblemCode.NOT_ALLOWED, f"You don't have {name} yourself")


def _check_expiry(session: Session, expires_at: datetime) -> None:
    now, days = utcnow(), instance_of(session).settings[MAX_DAYS]
    if expires_at <= now:
        raise wrong_field("expiresAt", ProblemCode.OUT_OF_RANGE, "Has passed")
    if expires_at > now + timedelta(days=days):
        message = f"Must be at most {days} days ahead"
        raise wrong_field("expiresAt", ProblemCode.OUT_OF_RANGE, message)


def _known_end(session: Session, expires_at: datetime) -> datetime | None:
    """Return the present time if a new token ends so soon that its owner needs no notice."""
    now, days = utcnow(), instance_of(session).settings[NOTICE_DAYS]
    return now if expires_at <= now + timedelta(days=days) else None


def _record(
    session: Session, verb: str, token: ApiToken, caller: Caller | None, **detail: Any
) -> None:
    facts = {"name": token.name, "user": token.user_id, **detail}
    record(session, f"api-token.{verb}", caller, _KIND, token, **facts)
