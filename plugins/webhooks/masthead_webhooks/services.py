"""The log of deliveries, their repetition, tests, and the rotation of secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from masthead import (
    Caller,
    NotFound,
    Page,
    Refused,
    Window,
    instance_of,
    lock_row,
    record,
    utcnow,
)
from masthead_webhooks.events import forget_schedule, store_test
from masthead_webhooks.models import OPEN, WAITING, Delivery, Webhook
from masthead_webhooks.settings import OVERLAP, RETENTION
from masthead_webhooks.signing import new_secret

IMPORTED = "It was imported; the exported instance may still call it"
RESTORED = "It was restored from a backup; it may have been called since"
_BATCH = 500
"""The maximum number of rows that one transaction deletes."""


def list_deliveries(
    session: Session, webhook_id: int, window: Window, query: Mapping[str, Any]
) -> Page:
    """Return a page of the deliveries of a webhook, newest first.

    :raises NotFound: if there is no such webhook.
    """
    if session.get(Webhook, webhook_id) is None:
        raise NotFound
    conditions = [Delivery.webhook_id == webhook_id]
    if "state" in query:
        conditions.append(Delivery.state == query["state"])
    total = session.scalar(select(func.count()).select_from(Delivery).where(*conditions))
    newest = select(Delivery).where(*conditions).order_by(Delivery.id.desc())
    found = session.scalars(newest.limit(window.limit).offset(window.offset))
    return Page([_show(each) for each in found], total or 0)


def replay(session: Session, webhook_id: int, delivery_id: int, caller: Caller) -> dict[str, Any]:
    """Queue a delivery that has ended again, and return it.

    :raises NotFound: if the webhook has no such delivery.
    :raises Refused: if it waits already.
    """
    delivery = lock_row(session, Delivery, delivery_id)
    if delivery.webhook_id != webhook_id:
        raise NotFound
    if delivery.state in OPEN:
        raise Refused("It waits for delivery already")
    delivery.state, delivery.attempts, delivery.done_at = WAITING, 0, None
    delivery.next_try_at = utcnow()
    session.flush()
    record(session, "webhook.replay", caller, "webhooks", content_id=webhook_id, id=delivery_id)
    return _show(delivery)


def test(session: Session, webhook_id: int) -> dict[str, Any]:
    """Queue a test of a webhook, and return the delivery.

    :raises Refused: if the webhook is switched off.
    """
    webhook = lock_row(session, Webhook, webhook_id, key_share=True)
    if not webhook.active:
        raise Refused("It is switched off")
    return _show(store_test(session, webhook))


def rotate(session: Session, webhook_id: int, caller: Caller) -> dict[str, Any]:
    """Give a webhook a new secret, and return it; the former one is valid for some time more."""
    webhook = lock_row(session, Webhook, webhook_id)
    hours = instance_of(session).settings[OVERLAP]
    webhook.former_secret, webhook.secret = webhook.secret, new_secret()
    webhook.former_until = utcnow() + timedelta(hours=hours)
    session.flush()
    record(session, "webhook.rotate-secret", caller, "webhooks", webhook)
    return {"secret": webhook.secret, "formerUntil": webhook.former_until}


def delete_old(session: Session) -> bool:
    """Delete some old deliveries and former secrets; return whether there may be more."""
    now = utcnow()
    age = timedelta(days=instance_of(session).settings[RETENTION])
    old = select(Delivery.id).where(Delivery.created_at < now - age).limit(_BATCH)
    found = session.scalars(old).all()
    session.execute(
        delete(Delivery).where(Delivery.id.in_(found)).execution_options(synchronize_session=False)
    )
    session.execute(
        update(Webhook)
        .where(Webhook.former_until <= now)
        .values(former_secret=None, former_until=None)
        .execution_options(synchronize_session=False)
    )
    return len(found) == _BATCH


def pause_imported(session: Session) -> int:
    """Switch imported webhooks off, and give them new secrets; return their number."""
    found = _switch_off(session, IMPORTED)
    for webhook in found:
        webhook.secret = new_secret()
    session.flush()
    return len(found)


def pause_restored(session: Session) -> int:
    """Switch the webhooks of a restored backup off; return the number of those that were on."""
    return sum(webhook.switched_off == RESTORED for webhook in _switch_off(session, RESTORED))


def _switch_off(session: Session, reason: str) -> Sequence[Webhook]:
    forget_schedule(session)
    found = session.scalars(select(Webhook).order_by(Webhook.id)).all()
    for webhook in found:
        if webhook.active:
            webhook.active, webhook.switched_off = False, reason
    session.flush()
    return found


def _show(delivery: Delivery) -> dict[str, Any]:
    """Return the values of an answer."""
    return {
        "id": delivery.id,
        "messageId": delivery.message_id,
        "event": delivery.event,
        "payload": delivery.payload,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "createdAt": delivery.created_at,
        "nextTryAt": delivery.next_try_at if delivery.state == WAITING else None,
        "doneAt": delivery.done_at,
        "status": delivery.status,
        "error": delivery.error,
        "duration": delivery.duration,
        "response": delivery.response,
    }
