"""Account recovery: mailed links by which users who forgot their password choose a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.audit.services import record
from masthead.auth.models import User
from masthead.auth.services.admins import keeping_an_admin
from masthead.auth.services.logins import find_user
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.auth.tokens import Tokens
from masthead.db import utcnow
from masthead.db.locking import lock
from masthead.errors import Invalid, NotFound
from masthead.http.addresses import site_address
from masthead.instance import Instance, instance_of
from masthead.ports.mail import ACCOUNT, Mail
from masthead.settings import Setting

LIFETIME = timedelta(hours=1)
REFUSAL = "token: Is not valid any more"
_ACTION = "user.forgot-password"
_INTERVAL = timedelta(minutes=2)
"""The minimum time between two mails to one user, so that nobody can flood a mailbox."""
_MAX_LENGTH = 200
"""The maximum length of a token."""
_PATH = re.compile(r"/(?!/)[^\s\\<>\"]*")
_PURPOSE = "auth.reset"
_TEXT = """\
Somebody, hopefully you, wants to choose a new password for {{username}}. Within an hour, open this
page:

{{link}}

If it wasn't you, there is nothing to do: your password stays as it is.
"""


def _page(value: str) -> str:
    path = value.strip()
    if not _PATH.fullmatch(path) or path.count("{token}") != 1:
        raise ValueError("a path such as /staff/reset-password?token={token}")
    return path


RESET_PATH = Setting(
    "masthead.auth.reset_path",
    _page,
    "/staff/reset-password?token={token}",
    "The page of the website on which staff choose a new password. A user who forgot theirs is"
    " mailed a link to it; the page sends the token to POST /api/auth/reset-password.",
    shows=False,
)


@dataclass(frozen=True)
class Reset:
    """The claims of a reset token: it replaces the password of a user of this generation."""

    user_id: int
    generation: int


def delivers_mail(instance: Instance) -> bool:
    """Whether an enabled plugin delivers mail, without which no link reaches anybody."""
    return bool(instance.hooks.masthead_deliver_mail.get_hookimpls())


def send_link(session: Session, name: str) -> None:
    """Mail a link to the enabled user with this username or e-mail address, if there is one.

    The audit log tells whether the mail is on its way; the answer to the client must not.
    """
    user = find_user(session, name)
    if user is None or user.disabled or not user.email:
        return
    lock(session, f"{_ACTION} {user.id}")
    if _has_recent_link(session, user):
        return
    instance = instance_of(session)
    token = make_token(instance, Reset(user.id, user.generation), utcnow() + LIFETIME)
    path = instance.settings[RESET_PATH].replace("{token}", quote(token))
    variables = {"link": site_address(instance.settings, path), "username": user.username}
    if user.display_name:
        variables["name"] = user.display_name
    mail = Mail(
        to=user.email,
        kind=ACCOUNT,
        subject="Choose a new password",
        text=_TEXT,
        variables=variables,
    )
    mailed = instance.hooks.masthead_deliver_mail(session=session, mail=mail)
    record(session, _ACTION, None, "user", user, mailed=bool(mailed))


def check_token(instance: Instance, token: str) -> Reset:
    """Return the claims of a token.

    :raises Invalid: where it is forged or expired.
    """
    reset = read_token(instance, token, utcnow())
    if reset is None:
        raise Invalid(REFUSAL)
    return reset


def reset_password(session: Session, reset: Reset, hashed: str) -> None:
    """Replace a user's password, which ends all their tokens and this reset token.

    :param hashed: the hash of the new password.
    :raises Invalid: where the user is gone or disabled, or the password has changed since.
    """
    # This lock precedes that of the row, as in every change of a user; otherwise both deadlock.
    with keeping_an_admin(session):
        try:
            user = get_user(session, reset.user_id, for_update=True)
        except NotFound:
            raise Invalid(REFUSAL) from None
        if user.disabled or user.generation != reset.generation:
            raise Invalid(REFUSAL)
        update_user(session, user.id, {}, user.id, HashedPassword(hashed))


def make_token(instance: Instance, reset: Reset, expires: datetime) -> str:
    """Return a token that is valid until a time, or until the user's generation changes.

    It is signed with a secret outside the database: a copy of the database is no way in.
    """
    claims = f"{reset.user_id}.{reset.generation}.{int(expires.timestamp())}"
    return f"{claims}.{Tokens(instance).sign(_PURPOSE, claims)}"


def read_token(instance: Instance, token: str, now: datetime) -> Reset | None:
    """Return the claims of a token; None where it is forged or expired."""
    claims, _, signature = token.rpartition(".")
    if len(token) > _MAX_LENGTH or not Tokens(instance).has_signed(_PURPOSE, claims, signature):
        return None
    user_id, generation, expires = map(int, claims.split("."))
    return Reset(user_id, generation) if now.timestamp() < expires else None


def _has_recent_link(session: Session, user: User) -> bool:
    recent = select(AuditEntry.id).where(
        AuditEntry.content_type == "user",
        AuditEntry.content_id == user.id,
        AuditEntry.at > utcnow() - _INTERVAL,
        AuditEntry.action == _ACTION,
    )
    return session.scalar(recent.limit(1)) is not None
