"""Links by which who forgot their password chooses another one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    Invalid,
    NotFound,
    Refused,
    User,
    find_user,
    instance_of,
    is_signed,
    record,
    replace_password,
    sign_text,
    site_address,
    utcnow,
)
from masthead_email.accounts.settings import RESET_PATH
from masthead_email.outbox.messages import add_recipients, create_message
from masthead_email.outbox.models import ACCOUNT, Message

LIFETIME = timedelta(hours=1)
SPENT = "token: Is not valid any more"
_PATIENCE = timedelta(minutes=2)
"""What passes at least between two mails to the same user."""
_PURPOSE = "email.reset"
_MOST = 200
"""Characters of a token."""
_TEXT = """\
Somebody, hopefully you, wants to choose a new password for {{username}}. Within an hour, open this
page:

{{link}}

If it wasn't you, there is nothing to do: your password stays as it is.
"""


@dataclass(frozen=True)
class Reset:
    """What a token allows: to replace the password of a user of that generation."""

    user_id: int
    generation: int


def send_link(session: Session, name: str) -> None:
    """Mail a link to who logs in by that name, where there is such a user who has an address."""
    user = find_user(session, name)
    if user is None or user.disabled or not user.email or _asked_lately(session, user):
        return
    instance = instance_of(session)
    settings = instance.settings
    token = make_token(instance, Reset(user.id, user.generation), utcnow() + LIFETIME)
    path = settings[RESET_PATH].replace("{token}", quote(token))
    message = create_message(
        session,
        kind=ACCOUNT,
        source_id=user.id,
        subject="Choose a new password",
        html=None,
        text=_TEXT,
    )
    values = {"link": site_address(settings, path), "username": user.username}
    add_recipients(session, message, [(user.email.lower(), user.display_name)], values)
    record(session, "user.forgot-password", None, content_type="user", content_id=user.id)


def check_token(instance: Instance, token: str) -> Reset:
    """What a token allows.

    :raises Invalid: where it isn't ours, or its hour is over.
    """
    reset = read_token(instance, token, utcnow())
    if reset is None:
        raise Invalid(SPENT)
    return reset


def reset_password(session: Session, reset: Reset, hashed: str) -> None:
    """Replace the password, which makes the token worthless.

    :param sealed: what is stored for the new one.
    :raises Invalid: where it is worthless already.
    """
    try:
        replace_password(session, reset.user_id, hashed, reset.generation)
    except (NotFound, Refused):
        raise Invalid(SPENT) from None


def make_token(instance: Instance, reset: Reset, until: datetime) -> str:
    """A token that is good until a moment, or until the user's generation is another.

    Its secret lies outside of the database, or who finds a copy of that could make tokens.
    """
    said = f"{reset.user_id}.{reset.generation}.{int(until.timestamp())}"
    return f"{said}.{sign_text(instance, _PURPOSE, said)}"


def read_token(instance: Instance, token: str, now: datetime) -> Reset | None:
    """What a token allows; None where it isn't ours, or its time is over."""
    said, _, signature = token.rpartition(".")
    if len(token) > _MOST or not is_signed(instance, _PURPOSE, said, signature):
        return None
    user_id, generation, until = map(int, said.split("."))
    return Reset(user_id, generation) if now.timestamp() < until else None


def _asked_lately(session: Session, user: User) -> bool:
    """Whether a link was mailed a moment ago: nobody shall fill a mailbox by asking for them."""
    mine = select(Message.id).where(
        Message.kind == ACCOUNT,
        Message.source_id == user.id,
        Message.created_at > utcnow() - _PATIENCE,
    )
    return session.scalar(mine.limit(1)) is not None
