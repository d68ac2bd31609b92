"""Cancelling a message during its delivery."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import SKIPPED_CANCELLED, Delivery

CLOSE = b"\0close"


def states(session: Session) -> list[str]:
    return list(session.scalars(select(Delivery.state)))


@pytest.mark.parametrize(
    ("stage", "reply"),
    [
        ("dot", b"451 4.3.0 Later"),
        ("dot", CLOSE),
        ("RCPT", b"450 4.2.1 Later"),
        ("RCPT", CLOSE),
        ("MAIL", b"550 5.7.1 Not you"),
    ],
)
def test_a_delivery_in_transit_when_cancelled_is_not_requeued(
    *,
    stage: str,
    reply: bytes,
    queue: Any,
    relay: Any,
    send_by: Any,
    deliver: Any,
    instance: Instance,
    session: Session,
) -> None:
    cancelled: list[int] = []

    def answer(asked: str, _: bytes) -> bytes | None:
        if asked != stage:
            return None
        if not cancelled:
            with instance.database.transaction() as writing:
                cancelled.append(outbox.cancel(writing, message_id))
        return reply

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    message_id = queue(3)
    deliver()
    assert states(session) == ["skipped"] * 3
    assert None not in set(session.scalars(select(Delivery.done_at)))
    assert set(session.scalars(select(Delivery.last_error))) == {SKIPPED_CANCELLED}


def test_a_delivery_requeued_during_the_cancellation_is_skipped(
    queue: Any, relayed: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    message_id = queue(1)
    with instance.database.transaction() as writing:
        outbox.cancel(writing, message_id)
        writing.execute(update(Delivery).values(state="queued"))
    deliver()
    assert states(session) == ["skipped"]
    assert relayed.taken == []
