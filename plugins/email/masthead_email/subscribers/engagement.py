"""Engagement: the day on which a subscriber last followed a link or changed the subscription.

While ``masthead.email.tracking`` is ``none``, nothing is stored, and a job deletes stored days.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, false, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead import Instance, Job, instance_of, utcnow
from masthead_email.settings import CLICKS, TRACKING
from masthead_email.subscribers.models import Subscriber

logger = logging.getLogger(__name__)

JOB: Final = "email.engagement"
_BATCH = 500
"""The maximum number of rows that one transaction changes."""
_MOST_WAITING = 5_000
"""The maximum number of subscribers whose day waits to be stored; those of further ones are lost,
for example while the database is locked."""


def is_tracking(instance: Instance) -> bool:
    """Whether the settings say that engagement is stored."""
    return bool(instance.settings[TRACKING] == CLICKS)


def day_of(moment: datetime) -> datetime:
    """Return the start of a moment's day in UTC."""
    return datetime.combine(moment.astimezone(UTC).date(), time(), UTC)


def new_day(session: Session) -> datetime | None:
    """Return the day of an engagement of now; None while none is stored."""
    return day_of(utcnow()) if is_tracking(instance_of(session)) else None


def note_engagement(session: Session, subscriber: Subscriber) -> None:
    """Store that a locked subscriber has changed the subscription today."""
    day = new_day(session)
    if day is not None and not subscriber.tracking_refused:
        subscriber.engaged_at = day


def engaged_since(session: Session, since: datetime) -> ColumnElement[bool]:
    """Return the condition that a subscriber was engaged on the day of a time or later."""
    tracking = is_tracking(instance_of(session))
    return Subscriber.engaged_at >= day_of(since) if tracking else false()


def idle_since(session: Session, since: datetime) -> ColumnElement[bool]:
    """Return the condition that a subscriber wasn't engaged on the day of a time or later.

    Those who refuse tracking, or have subscribed since then, don't count as idle.
    """
    if not is_tracking(instance_of(session)):
        return false()
    day = day_of(since)
    idle = or_(Subscriber.engaged_at.is_(None), Subscriber.engaged_at < day)
    return and_(idle, ~Subscriber.tracking_refused, Subscriber.created_at < day)


class Recorder:
    """Stores days of engagement in a thread, so that no reader waits for a locked database."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._lock = threading.Lock()
        self._waiting: set[int] = set()
        self._running = False

    def add(self, subscriber_id: int) -> None:
        """Store that a subscriber has followed a link today, soon."""
        with self._lock:
            if len(self._waiting) < _MOST_WAITING:
                self._waiting.add(subscriber_id)
            if self._running:
                return
            self._running = True
        threading.Thread(target=self._run, name="engagement", daemon=True).start()

    def _run(self) -> None:
        while ids := self._take():
            try:
                with self._instance.database.transaction() as session:
                    _store(session, ids)
            except SQLAlchemyError as error:
                logger.warning("Clicks of %d subscribers aren't stored: %s", len(ids), error)

    def _take(self) -> list[int]:
        with self._lock:
            ids, self._waiting = sorted(self._waiting), set()
            self._running = bool(ids)
        return ids


def note_click(session: Session, subscriber_id: int) -> None:
    """Store that a subscriber has followed a link today, unless it is stored or refused.

    :param session: a session that may only read; another one writes.
    """
    instance = instance_of(session)
    if not is_tracking(instance) or instance.maintenance.is_on():
        return
    if session.scalar(select(_is_new()).where(Subscriber.id == subscriber_id)):
        instance.shared(Recorder).add(subscriber_id)


def _is_new() -> ColumnElement[bool]:
    earlier = or_(Subscriber.engaged_at.is_(None), Subscriber.engaged_at < day_of(utcnow()))
    return and_(earlier, ~Subscriber.tracking_refused)


def _store(session: Session, ids: Sequence[int]) -> None:
    session.execute(
        update(Subscriber)
        .where(Subscriber.id.in_(ids), _is_new())
        .values(engaged_at=day_of(utcnow()))
        .execution_options(synchronize_session=False)
    )


def engagement_jobs(instance: Instance) -> list[Job]:
    """Return the job that deletes stored days while the settings say that none is stored."""

    def run(session: Session) -> bool:
        return not is_tracking(instance) and _delete_days(session)

    return [Job(JOB, timedelta(hours=1), run)]


def _delete_days(session: Session) -> bool:
    """Delete the days of a batch of subscribers; return whether there may be more."""
    stored = Subscriber.engaged_at.is_not(None)
    ids = session.scalars(select(Subscriber.id).where(stored).limit(_BATCH)).all()
    session.execute(
        update(Subscriber)
        .where(Subscriber.id.in_(ids))
        .values(engaged_at=None)
        .execution_options(synchronize_session=False)
    )
    return len(ids) == _BATCH
