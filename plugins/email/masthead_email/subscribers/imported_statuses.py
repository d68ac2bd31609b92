"""The effect of an import on subscribers who exist, and on suppressed addresses."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Subquery,
    Table,
    case,
    exists,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session

from masthead import UTCDateTime, insert_into
from masthead_email.failures import Failure
from masthead_email.outbox.models import COMPLAINT, Suppression
from masthead_email.outbox.services import unless_suppressed
from masthead_email.subscribers.models import (
    BOUNCED,
    COMPLAINED,
    PENDING,
    SUBSCRIBED,
    UNSUBSCRIBED,
    Subscriber,
)

_REASON = "Imported as "


def count_unsubscribed(session: Session, staged: Table) -> int:
    """Return the number of subscribers that the staged rows would unsubscribe.

    That includes new ones who are subscribed by their first row and unsubscribed by a later one.
    """
    ended = select(staged.c.email).where(_ends(staged)).distinct().subquery()
    first = _first_rows(staged)
    existing = exists().where(Subscriber.email == ended.c.email)
    subscribed = exists().where(Subscriber.email == ended.c.email, Subscriber.status == SUBSCRIBED)
    new = exists().where(
        first.c.email == ended.c.email,
        staged.c.number == first.c.number,
        staged.c.status == SUBSCRIBED,
    )
    counted = select(func.count()).select_from(ended).where(subscribed | (~existing & new))
    return session.scalar(counted) or 0


def apply_statuses(session: Session, staged: Table, moment: datetime) -> int:
    """Unsubscribe subscribers according to the staged rows, and suppress addresses.

    A pending confirmation in another tool unsubscribes nobody here.

    :returns: the number of subscribers who were unsubscribed.
    """
    _suppress(session, staged, moment)
    first = _first_rows(staged, _ends(staged))
    changed = session.execute(
        update(Subscriber)
        .where(
            Subscriber.email == first.c.email,
            Subscriber.status == SUBSCRIBED,
            staged.c.number == first.c.number,
        )
        .values(
            status=UNSUBSCRIBED,
            unsubscribed_at=staged.c.unsubscribed_at,
            unsubscribe_kind=staged.c.unsubscribe_kind,
            unsubscribe_reason=staged.c.unsubscribe_reason,
            revision=Subscriber.revision + 1,
            updated_at=literal(moment, UTCDateTime()),
        )
        .execution_options(synchronize_session=False)
    )
    return int(getattr(changed, "rowcount", 0))


def _ends(staged: Table) -> ColumnElement[bool]:
    return (staged.c.status == UNSUBSCRIBED) & (staged.c.unsubscribe_kind != PENDING)


def _first_rows(staged: Table, condition: ColumnElement[bool] | None = None) -> Subquery:
    rows = select(staged.c.email, func.min(staged.c.number).label("number"))
    if condition is not None:
        rows = rows.where(condition)
    return rows.group_by(staged.c.email).subquery()


def _suppress(session: Session, staged: Table, moment: datetime) -> None:
    """Suppress the addresses that bounced, and those of persons who complained."""
    undeliverable = staged.c.unsubscribe_kind.in_((BOUNCED, COMPLAINED))
    kind = func.max(staged.c.unsubscribe_kind)
    rows = (
        select(
            staged.c.email,
            case((kind == COMPLAINED, COMPLAINT), else_=Failure.RECIPIENT_GONE.value),
            literal(_REASON) + kind,
            literal(moment, UTCDateTime()),
        )
        .where(undeliverable)
        .group_by(staged.c.email)
    )
    names = ["address", "kind", "reason", "at"]
    suppressed = insert_into(session, Suppression).from_select(names, rows)
    session.execute(unless_suppressed(suppressed))
