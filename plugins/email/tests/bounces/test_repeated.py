"""Suppression after repeated failures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead_email.bounces.repeated import suppress_repeated
from masthead_email.outbox.models import COMPOSED, NEWSLETTER, Delivery, Message, Suppression
from masthead_email.outbox.services import release, suppress

ADA = "ada@example.net"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.suppress_after_newsletters": "3"}


def _message(kind: str) -> Message:
    return Message(
        kind=kind,
        subject="May",
        sender="news@example.org",
        text="",
        unsubscribe=True,
        priority=3,
        message_id_seed="0",
        state="done",
    )


@pytest.fixture
def history(instance: Instance) -> Callable[..., None]:
    """Return a function that stores one message per result, the last one of today.

    A result is the class of a failure to Ada, or ``sent``. Others get all messages.
    """

    def store(
        *results: str,
        days: int = 1,
        kind: str = NEWSLETTER,
        others: str = "sent",
        more: Mapping[str, str] | None = None,
    ) -> None:
        with instance.database.transaction() as session:
            for age, result in reversed(list(enumerate(reversed(results)))):
                message = _message(kind)
                session.add(message)
                session.flush()
                outcomes = {ADA: result, "eve@example.org": others, **(more or {})}
                for address, outcome in outcomes.items():
                    session.add(
                        Delivery(
                            message_id=message.id,
                            address=address,
                            state="sent" if outcome == "sent" else "failed",
                            failure=None if outcome == "sent" else outcome,
                            last_error=None if outcome == "sent" else "550 no",
                            next_try_at=utcnow(),
                            done_at=utcnow() - timedelta(days=age * days),
                        )
                    )

    return store


def _suppressed(instance: Instance) -> list[tuple[Any, ...]]:
    with instance.database.transaction() as session:
        suppress_repeated(session, newsletters=3, days=60)
        rows = select(Suppression.address, Suppression.kind)
        return [tuple(row) for row in session.execute(rows)]


UNKNOWN, FULL, TRANSIENT = "unknown", "mailbox-full", "transient"
SUPPRESSED = [(ADA, "repeated")]


@pytest.mark.parametrize(
    ("results", "days", "expected"),
    [
        ((UNKNOWN,) * 3, 1, True),
        ((UNKNOWN,) * 2, 1, False),
        ((UNKNOWN, UNKNOWN, "sent", UNKNOWN), 1, False),
        (("sent", UNKNOWN, UNKNOWN, UNKNOWN), 1, True),
        ((UNKNOWN, UNKNOWN, UNKNOWN, "sent"), 1, False),
        ((UNKNOWN, "sender-refused", UNKNOWN, "policy", UNKNOWN), 1, True),
        (("sender-refused",) * 9, 30, False),
        (("policy",) * 9, 30, False),
        (("content-refused",) * 9, 30, False),
        ((TRANSIENT,) * 9, 7, False),
        ((TRANSIENT,) * 9, 8, True),
        ((FULL, TRANSIENT), 61, True),
        ((FULL, "sent", TRANSIENT), 61, False),
        ((FULL,), 61, False),
    ],
)
def test_an_address_is_suppressed_after_a_series_of_failures(
    results: tuple[str, ...], days: int, expected: bool, history: Any, instance: Instance
) -> None:
    history(*results, days=days)
    assert _suppressed(instance) == (SUPPRESSED if expected else [])


def test_failures_that_hit_everybody_do_not_count(history: Any, instance: Instance) -> None:
    history(*(UNKNOWN,) * 5, others=UNKNOWN)
    assert _suppressed(instance) == []


@pytest.mark.parametrize(
    ("number", "reached", "suppressed"), [(3, False, 4), (4, False, 0), (4, True, 5)]
)
def test_a_domain_that_refuses_everybody_silences_nobody(
    number: int, reached: bool, suppressed: int, history: Any, instance: Instance
) -> None:
    more = {f"{each}@example.net": UNKNOWN for each in range(number)}
    if reached:
        more["kim@example.net"] = "sent"
    history(*(UNKNOWN,) * 3, more=more)
    assert len(_suppressed(instance)) == suppressed


def test_other_mail_does_not_count(history: Any, instance: Instance) -> None:
    history(*(UNKNOWN,) * 5, kind=COMPOSED)
    assert _suppressed(instance) == []


@pytest.mark.parametrize("released", [Suppression.address == ADA, Suppression.kind == "repeated"])
def test_failures_before_a_release_no_longer_count(
    released: Any, history: Any, instance: Instance
) -> None:
    history(*(UNKNOWN,) * 3)
    assert _suppressed(instance) == SUPPRESSED
    with instance.database.transaction() as session:
        assert release(session, released) == 1
    assert _suppressed(instance) == []
    history(*(UNKNOWN,) * 2)
    assert _suppressed(instance) == []
    history(UNKNOWN)
    assert _suppressed(instance) == SUPPRESSED


def test_the_kind_of_an_earlier_suppression_stays(history: Any, instance: Instance) -> None:
    history(*(UNKNOWN,) * 3)
    with instance.database.transaction() as session:
        suppress(session, ADA, "manual", "asked for it")
    assert _suppressed(instance) == [(ADA, "manual")]


def test_the_worker_suppresses_repeated_failures(history: Any, work: Any, session: Session) -> None:
    history(*(UNKNOWN,) * 3)
    work("email.repeated-failures")
    row = session.scalars(select(Suppression)).one()
    assert (row.address, row.kind, row.reason) == (ADA, "repeated", "Repeated failures: 550 no")
