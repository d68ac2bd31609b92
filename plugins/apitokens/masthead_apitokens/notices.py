"""Notices to the owners of API tokens that end soon."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Notice, User, instance_of, notify, utcnow
from masthead_apitokens.models import ApiToken
from masthead_apitokens.settings import NOTICE_DAYS

_AT_ONCE = 20
"""The number of tokens per transaction; on SQLite, other writers wait for its end."""


def notify_of_ends(session: Session) -> bool:
    """Notify the owners of some tokens that end soon, once; return whether there may be more.

    Disabled owners are notified once they are enabled, if the token is still valid.
    """
    now, days = utcnow(), instance_of(session).settings[NOTICE_DAYS]
    ending = (
        ApiToken.notified_at.is_(None),
        ApiToken.expires_at > now,
        ApiToken.expires_at <= now + timedelta(days=days),
    )
    tokens = session.scalars(
        select(ApiToken)
        .join(User, User.id == ApiToken.user_id)
        .where(*ending, User.disabled.is_(False))
        .order_by(ApiToken.id)
        .limit(_AT_ONCE)
        # A token that is being revoked is left for the next run.
        .with_for_update(of=ApiToken, skip_locked=True)
    ).all()
    for token in tokens:
        notify(session, select(User.id).where(User.id == token.user_id), _notice(token))
        token.notified_at = now
    return len(tokens) == _AT_ONCE


def _notice(token: ApiToken) -> Notice:
    end = f'The API token "{token.name}" is valid until {token.expires_at:%Y-%m-%d %H:%M} UTC'
    message = f"{end}. Programs that use it need a new one before"
    return Notice(
        title="API Token Ends",
        message=message,
        mail="apitokens/mails/ending.txt",
        mail_values={"token": token.name, "ends_at": token.expires_at},
        personal=True,
    )
