"""Account recovery: mailed links by which users who forgot their password choose a new one."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from sqlalchemy import Select, delete, insert, or_, select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.audit.services import record
from masthead.auth.models import RecoveryRequest, User
from masthead.auth.services.admins import keeping_an_admin
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.auth.tokens import Tokens
from masthead.db import fold, utcnow
from masthead.errors import NotFound, ProblemCode, wrong_field
from masthead.http.addresses import site_address
from masthead.i18n.mails import templated_mail
from masthead.instance import Instance, instance_of
from masthead.ports.mail import ACCOUNT
from masthead.settings import Setting

LIFETIME = timedelta(hours=1)
REFUSAL = "token: Is not valid any more"
_ACTION = "user.forgot-password"
_INTERVAL = timedelta(minutes=2)
"""The minimum time between two mails to one user, so that nobody can flood a mailbox."""
_BATCH = 50
"""The number of requests that are answered in one transaction."""
_MAX_LENGTH = 200
"""The maximum length of a token."""
_PATH = re.compile(r"/(?!/)[^\s\\<>\"]*")
_PURPOSE = "auth.reset"


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


def request_link(session: Session, name: str) -> None:
    """Let the worker mail a link to the user with this username or e-mail address.

    The work is the same whether there is such a user or not, so that its duration reveals nothing.
    """
    session.execute(insert(RecoveryRequest).values(name=fold(name), at=utcnow()))


def has_requests(instance: Instance) -> bool:
    """Whether a request for a link waits."""
    with instance.database.read() as connection:
        return connection.execute(select(RecoveryRequest.id).limit(1)).first() is not None


def answer_requests(session: Session) -> bool:
    """Mail links to the users who are named by the oldest requests, and delete these requests.

    :returns: whether there may be more requests.
    """
    oldest = select(RecoveryRequest).order_by(RecoveryRequest.id).limit(_BATCH)
    requests = session.scalars(oldest.with_for_update(skip_locked=True)).all()
    # While no worker ran, the users may have remembered their passwords.
    names = {request.name for request in requests if request.at > utcnow() - LIFETIME}
    for user in session.scalars(_recipients(names)).all():
        _mail_link(session, user)
    session.execute(
        delete(RecoveryRequest)
        .where(RecoveryRequest.id.in_([request.id for request in requests]))
        .execution_options(synchronize_session=False)
    )
    return len(requests) == _BATCH


def _recipients(names: Collection[str]) -> Select[User]:
    """Select the enabled users with these names or addresses who got no link recently."""
    mailed = select(AuditEntry.content_id).where(
        AuditEntry.content_type == "user",
        AuditEntry.content_id == User.id,
        AuditEntry.at > utcnow() - _INTERVAL,
        AuditEntry.action == _ACTION,
    )
    return select(User).where(
        or_(User.username_key.in_(names), User.email_key.in_(names)),
        User.disabled.is_(False),
        User.email.is_not(None),
        ~mailed.exists(),
    )


def _mail_link(session: Session, user: User) -> None:
    """Mail a link to a user; the audit log tells whether the mail is on its way."""
    assert user.email is not None
    instance = instance_of(session)
    token = make_token(instance, Reset(user.id, user.generation), utcnow() + LIFETIME)
    path = instance.settings[RESET_PATH].replace("{token}", quote(token))
    mail = templated_mail(
        session,
        "core/mails/password.txt",
        to=user.email,
        kind=ACCOUNT,
        language=user.language,
        name=user.display_name,
        username=user.username,
        link=site_address(instance.settings, path),
    )
    mailed = instance.hooks.masthead_deliver_mail(session=session, mail=mail)
    record(session, _ACTION, None, "user", user, mailed=bool(mailed))


def check_token(instance: Instance, token: str) -> Reset:
    """Return the claims of a token.

    :raises Invalid: where it is forged or expired.
    """
    reset = read_token(instance, token, utcnow())
    if reset is None:
        raise wrong_field("token", ProblemCode.INVALID, REFUSAL, named=False)
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
            raise wrong_field("token", ProblemCode.INVALID, REFUSAL, named=False) from None
        if user.disabled or user.generation != reset.generation:
            raise wrong_field("token", ProblemCode.INVALID, REFUSAL, named=False)
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
