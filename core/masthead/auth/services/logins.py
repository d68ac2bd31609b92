"""Who logs in, and what comes of logins that fail."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session, selectinload

from masthead.audit.models import AuditEntry
from masthead.audit.services import record
from masthead.auth import passwords
from masthead.auth.models import LoginFailure, User
from masthead.db import CLOCK_SKEW, fold, utcnow
from masthead.db.locking import lock
from masthead.db.upsert import upsert
from masthead.errors import TooMany
from masthead.settings import Setting, integer

THROTTLE = Setting(
    "masthead.auth.throttle",
    integer(0, 1_000_000),
    "0",
    "Failed logins for one name from one address in 15 minutes, after which further ones are"
    " refused until the time is over; 0 refuses none.",
    shows=False,
)
MOST_UNKNOWN = 100
"""How many names that nobody has are told apart in a minute's entries of failed logins."""
_WINDOW = timedelta(minutes=15)


def find_user(session: Session, name: str) -> User | None:
    """The user, enabled or not, whose username or e-mail address is ``name`` in any case."""
    key = fold(name)
    statement = (
        select(User)
        .where(or_(User.username_key == key, User.email_key == key))
        # Users that were put in by hand may call themselves by the address of another.
        .order_by((User.username_key == key).desc())
        .limit(1)
    )
    return session.scalars(statement.options(selectinload(User.roles))).one_or_none()


def check_password(user: User | None, password: str) -> bool:
    """Whether it is an enabled user's password; takes the same time for nobody and for anybody."""
    known = passwords.verify(user.password if user else passwords.UNKNOWN, password)
    return known and user is not None and not user.disabled


def hash_stored(session: Session, user: User, hashed: str) -> None:
    """Store a user's password sealed as it is today, unless it has changed since."""
    session.execute(
        update(User)
        .where(User.id == user.id, User.password == user.password)
        .values(password=hashed)
        .execution_options(synchronize_session=False)
    )


def check_throttle(session: Session, name: str, address: str, most: int) -> None:
    """Refuse a login after too many failures.

    :param address: the IP address that it comes from.
    :param most: how many failures are let pass; 0 lets all pass.
    :raises TooMany: with the seconds until the next try.
    """
    failure = session.get(LoginFailure, _throttle_key(name, address)) if most else None
    if failure is None or failure.count < most:
        return
    now = utcnow()
    left = failure.since + _WINDOW - now
    # A clock that was set back mustn't lock anybody out for as long as it was ahead.
    if left > timedelta(0) and failure.since <= now + CLOCK_SKEW:
        raise TooMany("Too many failed logins", int(left.total_seconds()) + 1)


def count_failure(session: Session, name: str, address: str) -> None:
    """Count a failed login towards the throttle, and forget those whose time is over."""
    forget_failures(session)
    failure = {"key": _throttle_key(name, address), "since": utcnow(), "count": 1}
    upsert(session, LoginFailure, failure, {"count": LoginFailure.count + 1})


def forget_failures(session: Session) -> None:
    """Forget the failures whose time is over."""
    now = utcnow()
    over = LoginFailure.since <= now - _WINDOW, LoginFailure.since > now + CLOCK_SKEW
    session.execute(delete(LoginFailure).where(or_(*over)))


def record_failure(session: Session, user: User | None, fingerprint: str) -> None:
    """Write a failed login to the audit log: one entry per name and minute, which counts.

    A name that nobody has is known by its fingerprint alone, for now and then one is a password
    that went into the wrong field. There is no end of such names, so past ``MOST_UNKNOWN`` in a
    minute they share an entry: nobody shall fill the disk.

    :param fingerprint: tells names apart without telling them.
    """
    user_id = user.id if user else None
    lock(session, f"login.failed {user_id}")
    entries = session.scalars(
        select(AuditEntry).where(
            AuditEntry.at >= utcnow().replace(second=0, microsecond=0),
            AuditEntry.action == "login.failed",
            AuditEntry.content_id == user_id,
        )
    ).all()
    known = {entry.detail.get("fingerprint"): entry for entry in entries}
    named: dict[str, str | None] = {"name": user.username if user else None}
    if user is None:
        shares = fingerprint not in known and len(known) >= MOST_UNKNOWN
        named["fingerprint"] = None if shares else fingerprint
    entry = known.get(named.get("fingerprint"))
    if entry is not None:
        entry.detail = {**entry.detail, "count": entry.detail["count"] + 1}
        return
    kind = "user" if user else None
    record(session, "login.failed", None, content_type=kind, content_id=user_id, **named, count=1)


def _throttle_key(name: str, address: str) -> str:
    return hashlib.sha256(f"{fold(name)}\n{address}".encode()).hexdigest()
