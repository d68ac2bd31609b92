"""Storing deliveries in the transaction that changes an item, so that they commit with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from masthead import (
    Timestamp,
    Transitioned,
    content_types_of,
    due_items,
    has_changes,
    insert_into,
    instance_of,
    is_visible,
    of_transaction,
    public_changes,
    utcnow,
)
from masthead_webhooks.models import TEST, Delivery, Progress, Webhook

_LISTENERS = "masthead_webhooks.listeners"
_ROW = 1
"""The id of the row of ``Progress``."""
_AT_ONCE = 500
"""The number of scheduled items per transaction; on SQLite, other writers wait for its end."""
_TIME = Timestamp()


@dataclass(frozen=True)
class _Listener:
    """An active webhook, and the events that it is called for."""

    id: int
    events: Collection[str]
    content_types: Collection[str]

    def wants(self, event: str, content_type: str) -> bool:
        """Whether it is called for an event of a content type."""
        patterns = {"*", event, event.partition(".")[0] + ".*"}
        of_type = not self.content_types or content_type in self.content_types
        return of_type and not patterns.isdisjoint(self.events)


def store_changes(session: Session) -> None:
    """Store the deliveries of the public changes of a transaction that is about to commit."""
    # Most transactions, such as those of an idle worker, change no item and need no webhooks.
    if not has_changes(session) or not (found := _listeners(session)):
        return
    now = utcnow()
    # The job announces the items whose time is later than this one.
    changes = public_changes(session, _announced_until(session, now))
    _store(
        session,
        [
            row
            for each in changes
            for row in _rows(
                found,
                f"content.{each.change}",
                _facts(each.content_type, each.item_id, each.slug, each.change),
                now,
            )
        ],
    )


def store_transition(session: Session, event: Transitioned) -> None:
    """Store the deliveries of a transition of the approval workflow."""
    name = f"approval.{event.transition}"
    wanting = [each for each in _listeners(session) if each.wants(name, event.content_type)]
    if not wanting:
        return
    session.flush()
    slug = _public_slug(session, event.content_type, event.item_id)
    facts = _facts(event.content_type, event.item_id, slug, event.transition)
    _store(session, _rows(wanting, name, facts, utcnow()))


def store_test(session: Session, webhook: Webhook) -> Delivery:
    """Store the delivery of a test, and return it."""
    payload = _payload(TEST, utcnow(), {})
    delivery = Delivery(**_row(webhook.id, TEST, payload, utcnow()))
    session.add(delivery)
    session.flush()
    return delivery


def announce_due(session: Session) -> bool:
    """Store the deliveries of items that appeared or vanished by themselves.

    :returns: whether more wait.
    """
    now = utcnow()
    row = session.get(Progress, _ROW, with_for_update=True)
    if row is None:
        first = insert_into(session, Progress).values(id=_ROW, until=now)
        session.execute(first.on_conflict_do_nothing())
        return False
    found, types = _listeners(session), content_types_of(instance_of(session))
    due = due_items(session.connection(), types, row.until, now) if found else []
    more = len(due) > _AT_ONCE
    until = due[_AT_ONCE - 1].at if more else now
    _store(
        session,
        [
            row
            for each in due
            if each.at <= until
            for row in _rows(
                found,
                f"content.{each.change}",
                _facts(each.content_type, each.item_id, each.slug, each.change),
                each.at,
            )
        ],
    )
    row.until = max(row.until, until)
    return more


def forget_schedule(session: Session) -> None:
    """Announce no item whose time has passed so far."""
    row = session.get(Progress, _ROW, with_for_update=True)
    if row is not None:
        row.until = utcnow()


def _announced_until(session: Session, now: datetime) -> datetime:
    """Return the time up to which the job has announced items; it waits for this transaction."""
    shared = select(Progress.until).where(Progress.id == _ROW).with_for_update(read=True)
    until = session.scalar(shared)
    return min(until, now) if until is not None else now


def _listeners(session: Session) -> Sequence[_Listener]:
    """Return the active webhooks, read once per transaction."""

    def read() -> Sequence[_Listener]:
        columns = Webhook.id, Webhook.events, Webhook.content_types
        rows = session.execute(select(*columns).where(Webhook.active).order_by(Webhook.id))
        return [_Listener(*row) for row in rows]

    return of_transaction(session, _LISTENERS, read)


def _public_slug(session: Session, content_type: str, item_id: int) -> str | None:
    """Return the slug of an item if the public sees it; that of a draft tells its title."""
    now = utcnow()
    for each in content_types_of(instance_of(session)):
        if each.name == content_type:
            item = session.get(each.model, item_id)
            if item is not None and is_visible(item, now):
                slug: str | None = item.slug
                return slug
    return None


def _facts(content_type: str, item_id: int, slug: str | None, change: str) -> dict[str, Any]:
    return {"contentType": content_type, "id": item_id, "slug": slug, "change": change}


def _rows(
    listeners: Sequence[_Listener], event: str, facts: Mapping[str, Any], at: datetime
) -> list[dict[str, Any]]:
    """Return the deliveries of an event to the webhooks that want it."""
    payload = _payload(event, at, facts)
    now = utcnow()
    return [
        _row(each.id, event, payload, now)
        for each in listeners
        if each.wants(event, facts["contentType"])
    ]


def _store(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        session.execute(insert(Delivery), rows)


def _payload(event: str, at: datetime, facts: Mapping[str, Any]) -> str:
    return json.dumps({"type": event, "timestamp": _TIME.dump(at), "data": facts})


def _row(webhook_id: int, event: str, payload: str, now: datetime) -> dict[str, Any]:
    return {
        "webhook_id": webhook_id,
        "message_id": f"msg_{secrets.token_hex(12)}",
        "event": event,
        "payload": payload,
        "created_at": now,
        "next_try_at": now,
    }
