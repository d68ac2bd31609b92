"""Persons whose addresses are suppressed, and who subscribe again.

A confirmed link proves that mail arrives and is wanted, so it ends the suppression. Addresses that
staff have suppressed stay so.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import or_, update
from sqlalchemy.orm import Session

from masthead import record
from masthead_email.outbox.models import MANUAL, Suppression
from masthead_email.outbox.services import release
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

ASK_INTERVAL = timedelta(days=7)
"""The minimum time between two confirmation requests to the same suppressed address."""


def note_request(session: Session, address: str, now: datetime) -> bool:
    """Record a confirmation request to a suppressed address; return whether it may be sent.

    The statement is the same for addresses that aren't suppressed.
    """
    noted: Any = session.execute(
        update(Suppression)
        .where(
            Suppression.address == address,
            Suppression.kind != MANUAL,
            or_(Suppression.asked_at.is_(None), Suppression.asked_at <= now - ASK_INTERVAL),
        )
        .values(asked_at=now)
        .execution_options(synchronize_session=False)
    )
    return bool(noted.rowcount)


def release_confirmed(session: Session, subscriber: Subscriber) -> None:
    """End the suppression of a subscriber who has confirmed a link that was sent since."""
    released = release(
        session,
        Suppression.address == subscriber.email,
        Suppression.kind != MANUAL,
        # A complaint replaces an earlier suppression, which the link was sent for.
        Suppression.asked_at >= Suppression.at,
    )
    if released:
        record(session, "suppression.release", None, SUBSCRIBERS.name, subscriber, number=1)
