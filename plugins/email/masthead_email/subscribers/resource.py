"""The resource of subscribers for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, exists, not_
from sqlalchemy.orm import Session

from masthead import (
    DELIVERABILITY,
    Bool,
    Caller,
    Filter,
    LanguageTag,
    Resource,
    read_deliverability,
    utcnow,
)
from masthead_email.outbox.models import Suppression
from masthead_email.permissions import ADDRESSES
from masthead_email.subscribers.models import (
    CONSENT,
    PENDING,
    REMOVED,
    UNSUBSCRIBED,
    Subscriber,
    has_language,
    is_paused,
)


def _flush(session: Session, subscribers: Sequence[Any]) -> None:
    for subscriber in subscribers:
        if subscriber.status != UNSUBSCRIBED and subscriber.unsubscribed_at is not None:
            # The person's earlier consent proves nothing about this subscription.
            for fact in CONSENT:
                setattr(subscriber, fact, None)
        update_unsubscription(subscriber, REMOVED)
    session.add_all(subscribers)
    session.flush()


def update_unsubscription(subscriber: Subscriber, kind: str) -> None:
    """Set or clear the time and the reason of the unsubscription according to the status.

    :param kind: the reason for a new unsubscription.
    """
    if subscriber.status != UNSUBSCRIBED:
        subscriber.unsubscribed_at = None
        subscriber.unsubscribe_kind = subscriber.unsubscribe_reason = None
    elif subscriber.unsubscribed_at is None and subscriber.unsubscribe_kind != PENDING:
        subscriber.unsubscribed_at = utcnow()
        subscriber.unsubscribe_kind = kind


def _is_deliverable(source: Any, wanted: bool) -> ColumnElement[bool]:
    # Not by NOT IN: on PostgreSQL its time is quadratic if the addresses don't fit into memory.
    suppressed = exists().where(Suppression.address == source.email)
    return ~suppressed if wanted else suppressed


def _speaks(source: Any, wanted: str) -> ColumnElement[bool]:
    return has_language(source.language, [wanted])


def _is_on_pause(source: Any, wanted: bool) -> ColumnElement[bool]:
    paused = is_paused(source, utcnow())
    return paused if wanted else not_(paused)


def _look_up(
    session: Session, subscribers: Sequence[Any], caller: Caller | None
) -> list[dict[str, Any]]:
    return read_deliverability(session, [each.email for each in subscribers], caller)


SUBSCRIBERS = Resource(
    name="newsletter-subscribers",
    label="Subscriber",
    model=Subscriber,
    area="email",
    read_permission=ADDRESSES,
    filters=("status",),
    custom_filters={
        "deliverable": Filter(
            Bool().described("Whether to list the subscribers that mail reaches, or the others."),
            _is_deliverable,
        ),
        "language": Filter(
            LanguageTag().described("Only subscribers who read in this language."), _speaks
        ),
        "paused": Filter(
            Bool().described("Whether to list the subscribers who pause, or the others."),
            _is_on_pause,
        ),
    },
    search_fields=("email", "name"),
    person="email",
    # Another endpoint creates subscribers, because adding one that exists is no error.
    operations=("list", "show", "update", "delete"),
    editable=("name", "status", "fields", "topics", "language", "pausedUntil"),
    looked_up=DELIVERABILITY,
    look_up=_look_up,
    flush=_flush,
)
