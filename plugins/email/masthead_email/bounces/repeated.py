"""The job that suppresses addresses whose deliveries fail again and again."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, Select, and_, case, exists, false, func, literal, or_, select
from sqlalchemy.orm import Session, aliased

from masthead import Instance, Job, UTCDateTime, insert_into, utcnow
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
    columns = ["address", "kind", "reason", "message_id", "at"]
    statement = (
        insert_into(session, Suppression)
        .from_select(columns, _series(newsletters, days), include_defaults=False)
        .on_conflict_do_nothing()
        .execution_options(preserve_rowcount=True)
    )
    return int(getattr(session.execute(statement), "rowcount", 0))


def _series(newsletters: int, days: int) -> Select[str, str, str, int, object]:
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
    reason = literal("Repeated failures: ") + func.coalesce(func.max(Delivery.last_error), "")
    return (
        select(
            Delivery.address,
            literal(REPEATED),
            reason,
            func.max(Delivery.message_id),
            literal(utcnow(), UTCDateTime()),
        )
        .join(Message, Message.id == Delivery.message_id)
        .where(
            Delivery.address.in_(recent),
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
