"""Listing, adding and releasing suppressed addresses.

The audit log names no address, because its entries outlive the erasure of a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from masthead import (
    CausingMail,
    Invalid,
    MailSuppression,
    MailSuppressions,
    Page,
    Window,
    insert_into,
    record,
    utcnow,
)
from masthead_email.outbox.models import (
    COMPLAINT,
    COMPOSED,
    FOLLOW_UP,
    MANUAL,
    NEWSLETTER,
    PAUSABLE,
    Message,
    Suppression,
)
from masthead_email.outbox.services import release
from masthead_email.permissions import ADDRESSES
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

NO_FILTER = "Name at least one of kind, newsletterId, composedEmailId, since and search"
_NAMED_ONLY = (COMPLAINT, MANUAL)
"""Kinds that are only released together if the filter names them: a person decided them."""
_SHOWN = (NEWSLETTER, COMPOSED, FOLLOW_UP)
"""The kinds of messages that may be shown; notices and account mail concern their recipient."""


def suppressions_of(session: Session, addresses: Sequence[str]) -> MailSuppressions:
    """Return the suppressed ones of some addresses, by one query."""
    # The outbox has addresses in lower case; others may differ in case.
    keys = {address: address.lower() for address in addresses}
    wanted = _with_mail().where(Suppression.address.in_(set(keys.values())))
    found = {each.address: _describe(each, mail) for each, mail in session.execute(wanted)}
    shown = {address: found[key] for address, key in keys.items() if key in found}
    return MailSuppressions(ADDRESSES, shown, select(Suppression.address))


def list_suppressions(session: Session, window: Window, query: Mapping[str, Any]) -> Page:
    """Return a page of the suppressed addresses that match a query, newest first."""
    conditions = _conditions(query)
    total = session.scalar(select(func.count()).select_from(Suppression).where(*conditions))
    newest = _with_mail().where(*conditions).order_by(*_NEWEST)
    found = session.execute(newest.limit(window.limit).offset(window.offset))
    return Page([_show(each, message) for each, message in found], total or 0)


def suppress_by_hand(
    session: Session, email: str, reason: str | None, actor: int | None
) -> dict[str, Any]:
    """Suppress an address for good; one that is suppressed already gets the new kind and reason.

    :param reason: the words of the user.
    """
    # The mail that led to an earlier suppression stays known.
    values = {"kind": MANUAL, "reason": reason or "", "at": utcnow(), "asked_at": None}
    session.execute(
        insert_into(session, Suppression)
        .values(address=email, **values)
        .on_conflict_do_update(index_elements=[Suppression.address], set_=values)
    )
    _record(session, "suppression.create", actor, email, kind=MANUAL)
    stored = _with_mail().where(Suppression.address == email)
    suppression, message = session.execute(stored).one()
    return _show(suppression, message)


def release_address(session: Session, email: str, actor: int | None) -> bool:
    """End the suppression of an address; return False if it wasn't suppressed.

    :param actor: the user; None for a command.
    """
    released = release(session, Suppression.address == email)
    if released:
        _record(session, "suppression.release", actor, email, number=1)
    return bool(released)


def release_matching(session: Session, query: Mapping[str, Any], actor: int | None) -> int:
    """End the suppressions that match a query; return their number.

    Complaints, and addresses that staff suppressed, are only released if the query names that kind.

    :raises Invalid: if the query is empty.
    """
    if not query:
        raise Invalid(NO_FILTER)
    conditions = _conditions(query)
    if "kind" not in query:
        conditions.append(Suppression.kind.not_in(_NAMED_ONLY))
    number = release(session, *conditions)
    named = {
        name: query[name] for name in ("kind", "newsletterId", "composedEmailId") if name in query
    }
    record(session, "suppression.release", actor, number=number, **named)
    return number


_NEWEST = (Suppression.at.desc(), Suppression.address.desc())


def _with_mail() -> Select[Suppression, Message]:
    shown = (Message.id == Suppression.message_id) & Message.kind.in_(_SHOWN)
    return select(Suppression, Message).outerjoin(Message, shown)


def _conditions(query: Mapping[str, Any]) -> list[ColumnElement[bool]]:
    """Return the conditions of a query: kind, newsletterId, composedEmailId, since and search."""
    conditions: list[ColumnElement[bool]] = []
    if "kind" in query:
        conditions.append(Suppression.kind == query["kind"])
    for name, kind in (("newsletterId", NEWSLETTER), ("composedEmailId", COMPOSED)):
        if name in query:
            sent = (Message.kind == kind, Message.source_id == query[name])
            conditions.append(Suppression.message_id.in_(select(Message.id).where(*sent)))
    if "since" in query:
        conditions.append(Suppression.at >= query["since"])
    if query.get("search"):
        part = query["search"].strip().lower()
        conditions.append(Suppression.address.contains(part, autoescape=True))
    return conditions


def _show(suppression: Suppression, message: Message | None) -> dict[str, Any]:
    """Return the values of a staff answer."""
    shown = _describe(suppression, message)
    names = ("kind", "reason", "since", "mail")
    return {"email": suppression.address, **{name: getattr(shown, name) for name in names}}


def _describe(suppression: Suppression, message: Message | None) -> MailSuppression:
    mail = None
    if message is not None:
        source_id = message.source_id if message.kind in PAUSABLE else None
        mail = CausingMail(message.kind, source_id, message.subject)
    return MailSuppression(suppression.kind, suppression.at, suppression.reason, mail)


def _record(session: Session, action: str, actor: int | None, email: str, **detail: Any) -> None:
    """Write an audit entry that names the subscriber with an address, if there is one."""
    subscriber_id = session.scalar(select(Subscriber.id).where(Subscriber.email == email))
    kind = None if subscriber_id is None else SUBSCRIBERS.name
    record(session, action, actor, kind, content_id=subscriber_id, **detail)
