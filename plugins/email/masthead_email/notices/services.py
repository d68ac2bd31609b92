"""Queueing e-mails of notifications to staff."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Select, func, literal, or_, select
from sqlalchemy.orm import Session

from masthead import ID, Notice, NoticeType, User, instance_of, texts_of
from masthead_email.outbox.messages import add_recipients, create_message, fan_out
from masthead_email.outbox.models import NOTICE, Message
from masthead_email.settings import APPROVAL_MAILS, STAFF

_LONGEST_SUBJECT = 150


def mail_notice(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue an e-mail of a notification, in the transaction that creates it.

    System notifications go to the addresses of ``masthead.email.staff``, in the language of the
    organisation; approval and personal notifications to their recipients, each in their language,
    if ``masthead.email.approval_mails`` is ``all``.

    :param recipients: selects the ids of the notified users.
    """
    settings = instance_of(session).settings
    if notice.type == NoticeType.SYSTEM and not notice.personal:
        if staff := settings[STAFF]:
            addresses = [(mailbox.address, mailbox.name or None) for mailbox in staff]
            values = _values(session, notice, texts_of(session).language())
            add_recipients(session, _message(session, notice), addresses, values)
    elif settings[APPROVAL_MAILS] == "all":
        _mail_users(session, notice, recipients)


def _mail_users(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue one message per language of the notified users."""
    mailed = (User.id.in_(recipients), User.disabled.is_(False), User.email.is_not(None))
    texts = texts_of(session)
    tags: dict[str, list[str | None]] = defaultdict(list)
    for tag in session.scalars(select(User.language).where(*mailed).distinct()):
        tags[texts.language(tag)].append(tag)
    for language, own in sorted(tags.items()):
        # Two users may have addresses that differ only in case.
        users = select(func.lower(User.email), User.display_name, literal(None, ID)).where(
            *mailed, _has_language(own)
        )
        fan_out(session, _message(session, notice), users, _values(session, notice, language))


def _has_language(tags: Sequence[str | None]) -> ColumnElement[bool]:
    named = User.language.in_([tag for tag in tags if tag is not None])
    return or_(named, User.language.is_(None)) if None in tags else named


def _values(session: Session, notice: Notice, language: str) -> Mapping[str, str]:
    """Return subject and text as values, so that braces in a visitor's text are no placeholders."""
    mail = texts_of(session).render_mail(
        notice.mail,
        language,
        **{"title": notice.title, "message": notice.message, **notice.mail_values},
    )
    return {"title": _bounded(mail.subject), "message": mail.text}


def _bounded(subject: str) -> str:
    return subject if len(subject) <= _LONGEST_SUBJECT else f"{subject[: _LONGEST_SUBJECT - 1]}…"


def _message(session: Session, notice: Notice) -> Message:
    return create_message(
        session,
        kind=NOTICE,
        source_id=notice.content_id,
        subject="{{title}}",
        html=None,
        text="{{message}}",
        reply_to=notice.reply_to,
    )
