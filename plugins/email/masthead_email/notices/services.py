"""Queueing e-mails of notifications to staff."""

from __future__ import annotations

from sqlalchemy import Select, func, literal, select
from sqlalchemy.orm import Session

from masthead import ID, Notice, User, instance_of
from masthead_email.outbox.messages import add_recipients, create_message, fan_out
from masthead_email.outbox.models import NOTICE, Message
from masthead_email.settings import APPROVAL_MAILS, STAFF

_LONGEST_SUBJECT = 150
SYSTEM = "system"
"""The type of notifications that don't concern approvals."""


def mail_notice(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue an e-mail of a notification, in the transaction that creates it.

    System notifications go to the addresses of ``masthead.email.staff``; approval notifications to
    their recipients, if ``masthead.email.approval_mails`` is ``all``.

    :param recipients: selects the ids of the notified users.
    """
    settings = instance_of(session).settings
    # A visitor's text is passed as a value, so that braces in it aren't placeholders.
    values = {
        "title": _bounded(notice.mail_subject or notice.title),
        "message": notice.mail_text or notice.message,
    }
    if notice.type == SYSTEM:
        if staff := settings[STAFF]:
            addresses = [(mailbox.address, mailbox.name or None) for mailbox in staff]
            add_recipients(session, _message(session, notice), addresses, values)
    elif settings[APPROVAL_MAILS] == "all":
        # Two users may have addresses that differ only in case.
        users = select(func.lower(User.email), User.display_name, literal(None, ID)).where(
            User.id.in_(recipients), User.disabled.is_(False), User.email.is_not(None)
        )
        fan_out(session, _message(session, notice), users, values)


def _bounded(subject: str) -> str:
    return subject if len(subject) <= _LONGEST_SUBJECT else f"{subject[: _LONGEST_SUBJECT - 1]}…"


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
