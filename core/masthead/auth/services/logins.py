"""Finding the user who logs in, and recording and throttling failed logins."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, literal, or_, select, update
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.audit.services import record
from masthead.auth import passwords
from masthead.auth.models import LoginFailure, User
from masthead.db import CLOCK_SKEW, fold, utcnow
from masthead.db.locking import lock
from masthead.db.upsert import upsert
from masthead.errors import TooMany
from masthead.settings import Setting, integer
from masthead.telemetry.metrics import Counter

THROTTLE = Setting(
    "masthead.auth.throttle",
    integer(0, 1_000_000),
    "0",
    "Failed logins of one user, or with one unknown name, from one IP address within 15 minutes"
    " before further logins are refused until those minutes are over; 0 refuses none.",
    shows=False,
)
LOGINS = Counter(
    "masthead_auth_logins",
    "Logins and checks of passwords: succeeded, failed, refused after too many failures"
    " (throttled), or without a second step that is needed (incomplete).",
    ("result",),
)
MAX_UNKNOWN = 100
"""The number of unknown names with an audit entry of their own in one minute."""
_WINDOW = timedelta(minutes=15)


def find_user(session: Session, name: str) -> User | None:
    """Return the user with this username or e-mail address in any case; they may be disabled."""
    key = fold(name)
    statement = (
        select(User)
        .where(or_(User.username_key == key, User.email_key == key))
        # The username of a hand-made row may be the address of another user.
        .order_by((User.username_key == key).desc())
        .limit(1)
    )
    return session.scalars(statement).one_or_none()


def check_password(user: User | None, password: str) -> bool:
    """Whether it is the password of an enabled user; takes equally long for an unknown user."""
    matches = passwords.verify(user.password if user else passwords.DUMMY_HASH, password)
    return matches and user is not None and not user.disabled


def replace_hash(session: Session, user: User, hashed: str) -> None:
    """Replace the stored hash of a user's password, unless the password has changed since."""
    session.execute(
        update(User)
        .where(User.id == user.id, User.password == user.password)
        .values(password=hashed)
        .execution_options(synchronize_session=False)
    )


def throttle_key(user: User | None, name: str, address: str) -> str:
    """Return the key under which the failed logins from an IP address are counted.

    The username and the e-mail address of a user share one. A new password starts anew, because it
    raises the user's generation.

    :param name: the name that was sent, which counts if no user has it.
    """
    subject = f"user {user.id} {user.generation}" if user else f"name {fold(name)}"
    return hashlib.sha256(f"{subject}\n{address}".encode()).hexdigest()


def check_throttle(session: Session, key: str, limit: int) -> None:
    """Refuse a login after too many failures.

    :param key: see :func:`throttle_key`.
    :param limit: the number of failures that are allowed; 0 allows any number.
    :raises TooMany: with the seconds until the next attempt.
    """
    failure = session.get(LoginFailure, key) if limit else None
    if failure is None or failure.count < limit:
        return
    now = utcnow()
    left = failure.since + _WINDOW - now
    # A clock that was ahead and is set back must not lock users out for the difference.
    if left > timedelta(0) and failure.since <= now + CLOCK_SKEW:
        LOGINS.add("throttled")
        raise TooMany("Too many failed logins", int(left.total_seconds()) + 1)


def count_failure(session: Session, key: str) -> None:
    """Count a failed login towards the throttle, and delete expired failures."""
    forget_failures(session)
    failure = {"key": key, "since": utcnow(), "count": 1}
    upsert(session, LoginFailure, failure, {"count": LoginFailure.count + 1})


def forget_failures(session: Session) -> None:
    """Delete expired failures."""
    now = utcnow()
    over = LoginFailure.since <= now - _WINDOW, LoginFailure.since > now + CLOCK_SKEW
    session.execute(delete(LoginFailure).where(or_(*over)))


def record_failure(session: Session, user: User | None, fingerprint: str) -> None:
    """Record a failed login in the audit log: one entry per name and minute, with a count.

    An unknown name is recorded by its fingerprint only, because it may be a password typed into the
    wrong field. Beyond ``MAX_UNKNOWN`` unknown names in a minute, further ones share an entry, so
    that an attacker can't fill the disk.

    :param fingerprint: identifies the name without revealing it.
    """
    user_id = user.id if user else None
    lock(session, f"login.failed {user_id}")
    # One statement for known and unknown names, because a difference would show in its duration.
    concerned = literal(user_id, AuditEntry.content_id.type)
    entries = session.scalars(
        select(AuditEntry).where(
            AuditEntry.at >= utcnow().replace(second=0, microsecond=0),
            AuditEntry.action == "login.failed",
            AuditEntry.content_id.is_not_distinct_from(concerned),
        )
    ).all()
    known = {entry.detail.get("fingerprint"): entry for entry in entries}
    detail: dict[str, Any] = {"name": user.username if user else None}
    if user is None:
        shares = fingerprint not in known and len(known) >= MAX_UNKNOWN
        detail["fingerprint"] = None if shares else fingerprint
    entry = known.get(detail.get("fingerprint"))
    if entry is not None:
        entry.detail = {**entry.detail, "count": entry.detail["count"] + 1}
        return
    record(session, "login.failed", None, "user" if user else None, user, **detail, count=1)
