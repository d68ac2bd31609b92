"""Queueing e-mails of what staff are told."""

from __future__ import annotations

from sqlalchemy import Select, func, literal, select
from sqlalchemy.orm import Session

from masthead import ID, Notice, User, instance_of
from masthead_email.outbox.messages import add_recipients, create_message, fan_out
from masthead_email.outbox.models import NOTICE, Message
from masthead_email.settings import APPROVAL_MAILS, STAFF

SYSTEM = "system"


def mail_notice(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue an e-mail of a notice, in the transaction of what it tells.

    What visitors send in goes to the addresses of ``masthead.email.staff``; what concerns approvals
    to those who are told, where ``masthead.email.approval_mails`` wants it.

    :param recipients: selects the ids of who is told.
    """
    settings = instance_of(session).settings
    # What a visitor wrote is a value, or braces in it would be placeholders.
    values = {"title": notice.title, "message": notice.message}
    if notice.type == SYSTEM:
        if staff := settings[STAFF]:
            people = [(mailbox.address, mailbox.name or None) for mailbox in staff]
            add_recipients(session, _message(session, notice), people, values)
    elif settings[APPROVAL_MAILS] == "all":
        # Two users may write the same address in different case.
        told = select(func.lower(User.email), User.display_name, literal(None, ID)).where(
            User.id.in_(recipients), User.disabled.is_(False), User.email.is_not(None)
        )
        fan_out(session, _message(session, notice), told, values)


def _message(session: Session, notice: Notice) -> Message:
    return create_message(
        session,
        kind=NOTICE,
        source_id=notice.content_id,
        subject="{{title}}",
        html=None,
        text="{{message}}\n",
        reply_to=notice.reply_to,
    )
