"""Pausing messages because of the relay, and telling staff and operators."""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from masthead import Notice, holders, notify, utcnow
from masthead_email.failures import Failure, without_addresses
from masthead_email.outbox.models import (
    ACTIVE,
    COMPOSED,
    FAILED,
    PAUSABLE,
    PAUSED,
    QUEUED,
    Delivery,
    Message,
)
from masthead_email.permissions import ADDRESSES, WRITE

logger = logging.getLogger(__name__)


def pause_messages(session: Session, message_ids: Collection[int], reason: str) -> None:
    """Pause active messages that the relay rejects, and notify staff.

    A user may have paused one in the meantime. That pause stays the user's, who decides when it
    ends, but staff are notified.

    :param reason: the relay's words.
    """
    reason = without_addresses(reason)
    by_user = and_(Message.state == PAUSED, Message.pause_reason.is_(None))
    wanted = select(Message).where(
        Message.id.in_(set(message_ids)), or_(Message.state == ACTIVE, by_user)
    )
    for message in session.scalars(wanted.with_for_update()):
        if message.state == ACTIVE:
            message.state, message.pause_reason = PAUSED, reason
        logger.error("The message %d is paused: %s", message.id, reason)
        notice = Notice(
            title=f"E-mail paused: {message.subject}"[:200],
            message=f"The relay rejects it: {reason}. Resume it once the cause is fixed.",
            mail="email/mails/paused.txt",
            mail_values={"mail": message.subject, "reason": reason},
        )
        recipients = (ADDRESSES,) if message.kind == COMPOSED else ()
        notify(session, holders(WRITE, *recipients), notice)


def tell_staff(session: Session, reason: str) -> None:
    """Notify staff and log that the relay rejects mail that can't be paused."""
    logger.error("The relay rejects mail: %s", reason)
    notice = Notice(
        title="The mail server rejects mail",
        message=f"The relay says: {reason}. Mail waits, and is tried again later.",
        mail="email/mails/relay.txt",
        mail_values={"reason": reason},
    )
    notify(session, holders(WRITE), notice)


def give_up(session: Session, oldest: datetime, reason: str) -> None:
    """End the waiting of mail that has waited too long for the relay.

    Newsletters and composed e-mails are paused; other mail, such as a link that is valid for an
    hour, fails.

    :param oldest: mail that was queued before this time has waited too long.
    """
    waiting = select(Message.id).where(Message.state == ACTIVE, Message.created_at <= oldest)
    pausable = Message.kind.in_(PAUSABLE)
    pause_messages(session, session.scalars(waiting.where(pausable)).all(), reason)
    others = waiting.where(~pausable)
    session.execute(
        update(Delivery)
        .where(Delivery.message_id.in_(others), Delivery.state == QUEUED)
        .values(state=FAILED, last_error=reason, failure=Failure.TRANSIENT, done_at=utcnow())
        .execution_options(synchronize_session=False)
    )
