"""Storing the results of calls: success, another attempt later, or giving up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy import update
from sqlalchemy.orm import Session

from masthead import Notice, holders, instance_of, notify, utcnow
from masthead_webhooks.attempts import GONE, MOST_ATTEMPTS, RETRY
from masthead_webhooks.models import DELIVERED, FAILED, SENDING, WAITING, Delivery, Webhook
from masthead_webhooks.permissions import WRITE
from masthead_webhooks.settings import SWITCH_OFF

if TYPE_CHECKING:
    from masthead_webhooks.calling import Answer


@dataclass(frozen=True)
class Result:
    """The answer to an attempt."""

    delivery_id: int
    webhook_id: int
    attempts: int
    lease: datetime
    answer: Answer

    @property
    def succeeded(self) -> bool:
        """Whether the webhook has accepted the call."""
        return self.answer.error is None

    @property
    def is_last(self) -> bool:
        """Whether a failure is final."""
        return self.attempts >= MOST_ATTEMPTS or self.answer.status == GONE


def store_results(session: Session, results: Sequence[Result]) -> None:
    """Store the results of deliveries that still belong to this worker."""
    now = utcnow()
    # In one order and before the deliveries, as a delete locks them, too.
    for result in sorted(results, key=lambda each: each.webhook_id):
        webhook = session.get(
            Webhook, result.webhook_id, populate_existing=True, with_for_update=True
        )
        if webhook is None:
            continue
        mine = update(Delivery).where(
            Delivery.id == result.delivery_id,
            Delivery.state == SENDING,
            Delivery.next_try_at == result.lease,
        )
        stored = session.execute(
            mine.values(**_values(result, now)).execution_options(synchronize_session=False)
        )
        if getattr(stored, "rowcount", 0):
            _note(session, webhook, result, now)


def _values(result: Result, now: datetime) -> dict[str, Any]:
    answer = result.answer
    values: dict[str, Any] = {
        "status": answer.status,
        "error": answer.error,
        "duration": answer.duration,
        "response": answer.response,
    }
    if result.succeeded:
        return values | {"state": DELIVERED, "done_at": now}
    if result.is_last:
        return values | {"state": FAILED, "done_at": now}
    later = now + RETRY.delay_asked(result.attempts, answer.retry_after, now)
    return values | {"state": WAITING, "next_try_at": later}


def _note(session: Session, webhook: Webhook, result: Result, now: datetime) -> None:
    """Note success or failure at the webhook; tell staff once, or switch it off."""
    if result.succeeded:
        if webhook.failing_since is not None or webhook.told_at is not None:
            webhook.failing_since = webhook.told_at = None
        return
    webhook.failing_since = webhook.failing_since or now
    patience = timedelta(days=instance_of(session).settings[SWITCH_OFF])
    if webhook.active and result.answer.status == GONE:
        _switch_off(session, webhook, "It answers that it is gone (410)")
    elif webhook.active and now - webhook.failing_since >= patience:
        _switch_off(session, webhook, f"It has failed for {patience.days} days")
    elif result.is_last and webhook.told_at is None:
        webhook.told_at = now
        text = f"{result.attempts} attempts failed: {result.answer.error}."
        _tell(session, webhook, "A webhook doesn't answer", text)


def _switch_off(session: Session, webhook: Webhook, reason: str) -> None:
    webhook.active, webhook.switched_off = False, reason
    webhook.revision += 1
    _tell(session, webhook, "A webhook is switched off", f"{reason}.")


def _tell(session: Session, webhook: Webhook, title: str, text: str) -> None:
    # Paths of webhooks are often secret, and notices are mailed.
    host = urlsplit(webhook.url).hostname
    message = f"Webhook {webhook.id} ({host}): {text} Its deliveries can be repeated."
    notify(session, holders(WRITE), Notice(title=title, message=message))
