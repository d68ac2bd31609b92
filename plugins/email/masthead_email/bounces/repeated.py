"""The job that suppresses addresses whose deliveries fail again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, false, func, or_, select
from sqlalchemy.orm import Session, aliased

from masthead import Instance, Job, insert_into, utcnow
from masthead_email.bounces.settings import REPEATED_DAYS, REPEATED_NEWSLETTERS
from masthead_email.failures import Failure
from masthead_email.outbox.models import (
    FAILED,
    NEWSLETTER,
    REPEATED,
    SENT,
    Delivery,
    Message,
    Suppression,
)

_INTERVAL = timedelta(hours=1)
_RECENT = timedelta(days=2)
"""The age of the last failure up to which an address is examined."""
_MANY = 5
"""The number of failing addresses of a domain from which one of them must have been reached."""
_BATCH = 1_000
"""The number of reached addresses that are read at once."""
_COUNTED = (Failure.UNKNOWN, Failure.TRANSIENT, Failure.MAILBOX_FULL)
"""The classes that may be a fault of the address; the others never count."""


def repeated_jobs(instance: Instance) -> list[Job]:
    """Return the job, unless the settings disable it."""
    newsletters = instance.settings[REPEATED_NEWSLETTERS]
    days = instance.settings[REPEATED_DAYS]
    if not newsletters and not days:
        return []

    def run(session: Session) -> None:
        suppress_repeated(session, newsletters, days)

    return [Job("email.repeated-failures", _INTERVAL, run)]


def suppress_repeated(session: Session, newsletters: int, days: int) -> int:
    """Suppress the addresses with a series of failures since the last success.

    :param newsletters: the number of newsletters that failed for an unknown cause; 0 for no limit.
    :param days: the days since the first failure; 0 for no limit.
    :returns: the number of addresses.
    """
    found = session.execute(_series(newsletters, days)).all()
    refusing = _refusing_domains(session, found)
    now = utcnow()
    rows = [
        {
            "address": each.address,
            "kind": REPEATED,
            "reason": f"Repeated failures: {each.error or ''}",
            "message_id": each.message_id,
            "at": now,
        }
        for each in found
        if _domain(each.address) not in refusing
    ]
    if rows:
        session.execute(insert_into(session, Suppression).on_conflict_do_nothing(), rows)
    return len(rows)


def _refusing_domains(session: Session, found: Sequence[Row[Any, Any, Any]]) -> set[str]:
    """Return the domains with several failing addresses of which none was reached.

    They may refuse the sender, in words that the rule of classes doesn't know.
    """
    failing = Counter(_domain(each.address) for each in found)
    suspects = {domain for domain, number in failing.items() if number >= _MANY}
    if not suspects:
        return set()
    messages = {each.message_id for each in found if _domain(each.address) in suspects}
    reached = select(Delivery.address).where(
        Delivery.message_id.in_(messages), Delivery.state == SENT
    )
    # There may be a million, and a suspect such as a large provider is found among the first.
    with session.execute(reached.execution_options(yield_per=_BATCH)) as rows:
        for row in rows:
            suspects.discard(_domain(row.address))
            if not suspects:
                break
    return suspects


def _domain(address: str) -> str:
    return "@" + address.rpartition("@")[2]


def _series(newsletters: int, days: int) -> Select[Any, Any, Any]:
    """Return a query of the addresses with a series of failures, an error and the last message."""
    other = aliased(Delivery)
    recent = select(other.address).where(other.state == FAILED, other.done_at > utcnow() - _RECENT)
    last_success = (
        select(func.max(other.message_id))
        .where(other.address == Delivery.address, other.state == SENT)
        .correlate(Delivery)
        .scalar_subquery()
    )
    # If a message reached nobody, the relay or the sender is at fault.
    reached_somebody = exists().where(other.message_id == Delivery.message_id, other.state == SENT)
    return (
        select(
            Delivery.address,
            func.max(Delivery.last_error).label("error"),
            func.max(Delivery.message_id).label("message_id"),
        )
        .join(Message, Message.id == Delivery.message_id)
        .where(
            Delivery.address.in_(recent),
            Delivery.address.not_in(select(Suppression.address)),
            Delivery.state == FAILED,
            Delivery.failure.in_(_COUNTED),
            Delivery.forgiven.is_(False),
            Message.kind == NEWSLETTER,
            Delivery.message_id > func.coalesce(last_success, 0),
            reached_somebody,
        )
        .group_by(Delivery.address)
        .having(or_(*_limits(newsletters, days)))
    )


def _limits(newsletters: int, days: int) -> list[ColumnElement[bool]]:
    limits: list[ColumnElement[bool]] = [false()]
    if newsletters:
        unknown = case((Delivery.failure == Failure.UNKNOWN, 1), else_=0)
        limits.append(func.sum(unknown) >= newsletters)
    if days:
        since = func.min(Delivery.done_at) <= utcnow() - timedelta(days=days)
        limits.append(and_(since, func.count() > 1))
    return limits
