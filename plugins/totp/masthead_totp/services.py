"""Setting authenticator apps up, confirming, removing and resetting them."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from masthead import (
    NotFound,
    ProblemCode,
    Refusal,
    Refused,
    User,
    fold,
    instance_of,
    is_unreadable,
    lock_row,
    record,
    seal,
    utcnow,
    wrong_field,
)
from masthead_totp.checking import accepts
from masthead_totp.codes import digest_of, new_recovery_codes, new_secret
from masthead_totp.models import SECRET, Enrolment, RecoveryCode

_SETUP_LASTS = timedelta(minutes=15)


@dataclass(frozen=True)
class Setup:
    """The values that a user stores in the app and on paper; they are shown once."""

    user: User
    secret: str
    recovery_codes: list[str]


@dataclass(frozen=True)
class State:
    """The second step of a user."""

    confirmed_at: datetime | None
    recovery_codes: int


def locked_enrolment(session: Session, user_id: int) -> Enrolment | None:
    """Return the enrolment of a user, locked until the transaction ends."""
    found = select(Enrolment).where(Enrolment.user_id == user_id).with_for_update()
    return session.scalars(found.execution_options(populate_existing=True)).one_or_none()


def read_state(session: Session, user_id: int) -> State:
    """Return whether a user has an app, and how many recovery codes are left."""
    enrolment = session.get(Enrolment, user_id)
    left = select(func.count()).where(RecoveryCode.user_id == user_id)
    if enrolment is None or enrolment.confirmed_at is None:
        return State(None, 0)
    return State(enrolment.confirmed_at, session.scalar(left) or 0)


def begin_setup(session: Session, user_id: int) -> Setup:
    """Give a user without an app a secret and recovery codes, which replace unconfirmed ones.

    :raises Refused: if the user has an app.
    """
    enrolment = _own_enrolment(session, user_id)
    if enrolment.confirmed_at is not None:
        raise Refused("There is an authenticator app already; remove it first")
    secret = new_secret()
    enrolment.sealed_secret = seal(instance_of(session), SECRET, secret)
    enrolment.plain_secret = None
    enrolment.setup_digest = enrolment.setup_until = None
    session.flush()
    user = session.get_one(User, user_id)
    return Setup(user, secret, _replace_recovery_codes(session, user_id))


def new_setup_token(session: Session, user_id: int) -> str:
    """Return a token by which a user who needs an app to log in sets one up."""
    enrolment = _own_enrolment(session, user_id)
    token = secrets.token_urlsafe(32)
    enrolment.setup_digest, enrolment.setup_until = digest_of(token), utcnow() + _SETUP_LASTS
    return token


def begin_setup_by_token(session: Session, token: str) -> Setup:
    """Set the app of a token's user up; the token is used up.

    :raises Invalid: for a token that isn't valid.
    """
    valid = (Enrolment.setup_digest == digest_of(token), Enrolment.setup_until > utcnow())
    # Locked, so that of two requests at once the second one finds the token used up.
    user_id = session.scalar(
        select(Enrolment.user_id)
        .join(User, User.id == Enrolment.user_id)
        .where(*valid, User.disabled.is_(False))
        .with_for_update(of=Enrolment)
    )
    if user_id is None:
        message = "Is not valid any more"
        raise wrong_field("token", ProblemCode.INVALID, message)
    return begin_setup(session, user_id)


def confirm(session: Session, enrolment: Enrolment) -> None:
    """Let logins of the user need a code from now on."""
    enrolment.confirmed_at = utcnow()
    user_id = enrolment.user_id
    record(session, "totp.enrol", user_id, "user", content_id=user_id)


def confirm_setup(session: Session, user_id: int, code: str) -> None:
    """Confirm the app of a user by its first code.

    :raises Refused: if no setup has begun.
    :raises Invalid: for a wrong code.
    """
    enrolment = locked_enrolment(session, user_id)
    if enrolment is None or enrolment.sealed_secret is None or enrolment.confirmed_at is not None:
        raise Refused("No setup has begun")
    _require(session, enrolment, code)
    confirm(session, enrolment)


def renew_recovery_codes(session: Session, user_id: int, code: str) -> list[str]:
    """Replace the recovery codes of a user, and return the new ones."""
    enrolment = _confirmed(session, user_id)
    _require(session, enrolment, code)
    record(session, "totp.recovery-codes", user_id, "user", content_id=user_id)
    return _replace_recovery_codes(session, user_id)


def remove(session: Session, user_id: int, code: str) -> None:
    """Remove the app of a user who proves to have it."""
    enrolment = _confirmed(session, user_id)
    _require(session, enrolment, code)
    session.delete(enrolment)
    record(session, "totp.remove", user_id, "user", content_id=user_id)


def reset(session: Session, user_id: int, actor: int | None) -> None:
    """Remove the app of a user who has lost it.

    :param actor: the id of the administrator; None for the command line, and without one.
    :raises NotFound: if the user has none.
    """
    enrolment = locked_enrolment(session, user_id)
    if enrolment is None:
        raise NotFound("The user has no authenticator app")
    session.delete(enrolment)
    record(session, "totp.reset", actor, "user", content_id=user_id)


def revoke(session: Session, user_id: int) -> None:
    """Remove the app of a user, or the beginning of its setup, if there is one."""
    with suppress(NotFound):
        reset(session, user_id, None)


def reset_named(session: Session, name: str) -> User:
    """Remove the app of the user with a name, who may be disabled, and return the user.

    :raises NotFound: if there is no such user, or the user has no app.
    """
    user = session.scalars(select(User).where(User.username_key == fold(name))).one_or_none()
    if user is None:
        raise NotFound(f"There is no user {name}")
    reset(session, user.id, None)
    return user


def unreadable_apps(session: Session) -> list[int]:
    """Return the ids of the users whose apps can't be checked, because a secret is missing."""
    lost = is_unreadable(instance_of(session), Enrolment.sealed_secret)
    return list(session.scalars(select(Enrolment.user_id).where(lost).order_by(Enrolment.user_id)))


def reset_unreadable(session: Session) -> int:
    """Remove the apps that can't be checked, and return their number."""
    user_ids = unreadable_apps(session)
    session.execute(delete(Enrolment).where(Enrolment.user_id.in_(user_ids)))
    for user_id in user_ids:
        record(session, "totp.reset", None, "user", content_id=user_id)
    return len(user_ids)


def delete_recovery_codes(session: Session) -> int:
    """Delete all recovery codes, and return their number."""
    return len(session.scalars(delete(RecoveryCode).returning(RecoveryCode.id)).all())


def _own_enrolment(session: Session, user_id: int) -> Enrolment:
    """Return the enrolment of a user, locked; add one if there is none."""
    enrolment = locked_enrolment(session, user_id)
    if enrolment is None:
        # Without this lock, two requests at once would both add one.
        lock_row(session, User, user_id, key_share=True)
        enrolment = locked_enrolment(session, user_id) or Enrolment(user_id=user_id, failures=0)
        session.add(enrolment)
    return enrolment


def _confirmed(session: Session, user_id: int) -> Enrolment:
    enrolment = locked_enrolment(session, user_id)
    if enrolment is None or enrolment.confirmed_at is None:
        raise Refused("There is no authenticator app")
    return enrolment


def _require(session: Session, enrolment: Enrolment, code: str) -> None:
    """Refuse a wrong code, which is counted in spite of the refusal.

    :raises Refusal: with the record.
    """
    try:
        if not accepts(session, enrolment, code):
            raise wrong_field("code", ProblemCode.INVALID, "Is not correct")
    except Refusal as refusal:
        refusal.is_recorded = True
        raise


def _replace_recovery_codes(session: Session, user_id: int) -> list[str]:
    session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
    codes = new_recovery_codes()
    rows = [{"user_id": user_id, "digest": digest_of(each.replace("-", ""))} for each in codes]
    session.execute(insert(RecoveryCode), rows)
    return codes
