"""The worker's chore that calls webhooks.

A worker claims a delivery by a lease: it sets ``next_try_at`` to the end of the lease. The time
also identifies the owner, so a result counts only while nobody else has claimed the delivery. Of
each webhook, one delivery is under way at a time, in the order of the changes, and a slow webhook
takes no more than one of the places.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Select, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from masthead import Chore, Instance, instance_of, utcnow
from masthead_webhooks.models import OPEN, SENDING, SUPERSEDED, WAITING, Delivery, Webhook
from masthead_webhooks.results import Result, store_results
from masthead_webhooks.settings import ALLOWED_NETWORKS, AT_ONCE, TIMEOUT
from masthead_webhooks.signing import signature_header

if TYPE_CHECKING:
    from masthead_webhooks.calling import Answer

_INTERVAL = timedelta(seconds=2)
_RUN_SECONDS = 3.0
"""The time in which a run begins calls; the worker does nothing else meanwhile."""
_MOST_SUPERSEDED = 5_000
"""The maximum number of calls that one transaction leaves out."""
_SPARE = timedelta(minutes=1)
"""The part of a lease for resolving the name and storing the result."""


@dataclass(frozen=True)
class Claimed:
    """A delivery that no other worker begins before its lease ends."""

    id: int
    webhook_id: int
    attempts: int
    """The number of attempts, with this one."""
    lease: datetime
    url: str
    secrets: tuple[str, ...]
    message_id: str
    payload: str


def delivery_chore() -> Chore:
    """Return the chore that calls webhooks."""
    return Chore("webhooks.delivery", _INTERVAL, send_due, is_any_due)


def is_any_due(instance: Instance) -> bool:
    """Whether a delivery is due."""
    with instance.database.read() as connection:
        return connection.execute(_first_due(utcnow()).limit(1)).first() is not None


def send_due(instance: Instance, may_continue: Callable[[], bool]) -> bool:
    """Call webhooks for some seconds, and return whether there may be more to do."""
    if not is_any_due(instance):
        return False
    places = instance.settings[AT_ONCE]
    until = time.monotonic() + _RUN_SECONDS
    running: dict[Future[Answer], Claimed] = {}
    done: list[Result] = []
    with ThreadPoolExecutor(places, "webhook") as threads:
        while True:
            in_time = time.monotonic() < until and may_continue()
            free = places - len(running) if in_time else 0
            with instance.database.transaction() as session:
                store_results(session, done)
                claimed = claim(session, free)
            for each in claimed:
                running[threads.submit(_send, instance, each)] = each
            if not running:
                return not in_time
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            done = [_result(running.pop(each), each) for each in finished]


def claim(session: Session, limit: int) -> list[Claimed]:
    """Claim deliveries that are due, at most one of each webhook, the oldest ones first."""
    if limit < 1:
        return []
    now, timeout = utcnow(), _timeout(session)
    _supersede(session, now)
    first = _first_due(now).limit(limit).subquery()
    rows = (
        select(Delivery, Webhook)
        .join(Webhook, Webhook.id == Delivery.webhook_id)
        .where(Delivery.id.in_(select(first)), Delivery.state.in_(OPEN))
        .where(Delivery.next_try_at <= now)
        .with_for_update(skip_locked=True, of=Delivery)
    )
    found = [(row.Delivery, row.Webhook) for row in session.execute(rows)]
    lease = now + 2 * timeout + _SPARE
    session.execute(
        update(Delivery)
        .where(Delivery.id.in_([each.id for each, _ in found]))
        .values(state=SENDING, next_try_at=lease, attempts=Delivery.attempts + 1)
        .execution_options(synchronize_session=False)
    )
    return [
        Claimed(
            each.id,
            webhook.id,
            each.attempts + 1,
            lease,
            webhook.url,
            _valid_secrets(webhook, now),
            each.message_id,
            each.payload,
        )
        for each, webhook in found
    ]


def _supersede(session: Session, now: datetime) -> None:
    """Leave out the calls about content before the last one, for webhooks that want only that.

    All changes before the last one are committed when it is made.
    """
    later = aliased(Delivery)
    about_content = Delivery.event.startswith("content.")
    earlier = (
        select(Delivery.id)
        .join(Webhook, Webhook.id == Delivery.webhook_id)
        .where(Webhook.latest_only, Delivery.state == WAITING, about_content)
        .where(
            exists().where(
                later.webhook_id == Delivery.webhook_id,
                later.id > Delivery.id,
                later.state == WAITING,
                later.event.startswith("content."),
            )
        )
        .order_by(Delivery.id)
        .with_for_update(skip_locked=True, of=Delivery)
    )
    found = session.scalars(earlier.limit(_MOST_SUPERSEDED)).all()
    session.execute(
        update(Delivery)
        .where(Delivery.id.in_(found))
        .values(state=SUPERSEDED, done_at=now)
        .execution_options(synchronize_session=False)
    )


def _timeout(session: Session) -> timedelta:
    """Return the time that a webhook has to answer."""
    return timedelta(seconds=instance_of(session).settings[TIMEOUT])


def _first_due(now: datetime) -> Select[int]:
    """Select the id of the first due delivery of each active webhook that isn't being called."""
    busy = select(Delivery.webhook_id).where(Delivery.state == SENDING, Delivery.next_try_at > now)
    first = func.min(Delivery.id)
    return (
        select(first)
        .join(Webhook, Webhook.id == Delivery.webhook_id)
        .where(Delivery.state.in_(OPEN), Delivery.next_try_at <= now, Webhook.active)
        .where(Delivery.webhook_id.not_in(busy))
        .group_by(Delivery.webhook_id)
        .order_by(first)
    )


def _valid_secrets(webhook: Webhook, now: datetime) -> tuple[str, ...]:
    if webhook.former_secret and webhook.former_until and now < webhook.former_until:
        return webhook.secret, webhook.former_secret
    return (webhook.secret,)


def _send(instance: Instance, claimed: Claimed) -> Answer:
    """Make one call; runs in a thread of its own."""
    from masthead_webhooks.calling import Line, call

    now, body = int(utcnow().timestamp()), claimed.payload.encode()
    headers = {
        "content-type": "application/json",
        "user-agent": "Masthead",
        "webhook-id": claimed.message_id,
        "webhook-timestamp": str(now),
        "webhook-signature": signature_header(claimed.secrets, claimed.message_id, now, body),
    }
    line = Line(instance.settings[TIMEOUT], instance.settings[ALLOWED_NETWORKS])
    return call(claimed.url, headers, body, line)


def _result(claimed: Claimed, future: Future[Answer]) -> Result:
    return Result(claimed.id, claimed.webhook_id, claimed.attempts, claimed.lease, future.result())
