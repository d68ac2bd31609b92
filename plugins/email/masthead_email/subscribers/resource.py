"""The resource of subscribers for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead import Nullable, Resource, Timestamp, utcnow
from masthead_email.permissions import ADDRESSES
from masthead_email.subscribers.models import UNSUBSCRIBED, Subscriber


def _flush(session: Session, subscribers: Sequence[Any]) -> None:
    for subscriber in subscribers:
        update_unsubscribed_at(subscriber)
    session.add_all(subscribers)
    session.flush()


def update_unsubscribed_at(subscriber: Subscriber) -> None:
    """Set or clear the time of the unsubscription according to the status."""
    if subscriber.status != UNSUBSCRIBED:
        subscriber.unsubscribed_at = None
    elif subscriber.unsubscribed_at is None:
        subscriber.unsubscribed_at = utcnow()


SUBSCRIBERS = Resource(
    name="newsletter-subscribers",
    label="Subscriber",
    model=Subscriber,
    area="email",
    read_permission=ADDRESSES,
    filters=("status",),
    search_fields=("email", "name"),
    person="email",
    # Another endpoint creates subscribers, because adding one that exists is no error.
    operations=("list", "show", "update", "delete"),
    editable=("name", "status", "fields", "topics"),
    shows={
        "createdAt": Timestamp(),
        "updatedAt": Timestamp(),
        "unsubscribedAt": Nullable(Timestamp()),
    },
    flush=_flush,
)
