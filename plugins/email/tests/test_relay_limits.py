"""The limits of relays: they are learned, kept, shared, and never counted as attempts."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead.testing import Clock
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox.models import ACCOUNT, Delivery, Message, RelayState

pytestmark = pytest.mark.product

CLOSE = b"\0close"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.login_window": "1",
        "masthead.email.backoff": "1 4",
    }


@pytest.fixture
def limited(relay: Any, send_by: Any) -> Callable[..., Any]:
    """Return a function that starts a relay with limits."""

    def start(**limits: Any) -> Any:
        here = relay(limits=sys.modules["sink"].Limits(**limits))
        send_by(f"smtp://127.0.0.1:{here.port}")
        return here

    return start


@pytest.fixture
def run(instance: Instance) -> Callable[..., float]:
    """Return a function that sends everything by a worker, and returns the seconds it took."""
    runner = DeliveryRunner(instance)

    def until_sent(seconds: float = 30.0) -> float:
        began = time.monotonic()
        left = 1
        while left and time.monotonic() - began < seconds:
            runner.run(instance, lambda: time.monotonic() - began < seconds)
            with instance.database.read() as connection:
                open_one = select(Delivery.id).where(Delivery.state.in_(("queued", "sending")))
                left = connection.execute(open_one.limit(1)).first() is not None
            time.sleep(0.05 * left)
        return time.monotonic() - began

    return until_sent


def attempts(session: Session) -> set[tuple[str, int]]:
    session.rollback()
    return {
        (state, number)
        for state, number in session.execute(select(Delivery.state, Delivery.attempts))
    }


def test_a_relay_with_few_logins_and_few_messages_on_each_is_used_to_its_limits(
    queue: Any, limited: Any, run: Any, session: Session
) -> None:
    here = limited(logins=6, window=1.0, messages=10)
    queue(120)
    run()
    assert attempts(session) == {("sent", 1)}
    # Each login but the first ones is used for ten messages.
    assert here.connections - here.limits.refused.count("logins") <= 14
    assert here.limits.refused.count("logins") <= 4
    assert here.limits.refused.count("messages") <= 6


@pytest.mark.parametrize(
    "reply", [b"421 4.7.0 Enough", b"450 4.7.0 Enough", b"452 4.5.3 Enough", CLOSE]
)
def test_the_number_of_messages_on_a_connection_is_learned(
    reply: bytes, queue: Any, limited: Any, run: Any, session: Session
) -> None:
    here = limited(messages=5, messages_reply=reply)
    queue(100)
    run()
    assert attempts(session) == {("sent", 1)}
    assert here.limits.refused.count("messages") <= 8
    assert session.scalars(select(RelayState.message_limit)).one() == 5
    seen = len(here.limits.refused)
    queue(50)
    run()
    assert len(here.limits.refused) == seen


@pytest.mark.parametrize("connections", [1, 2, 3])
def test_the_number_of_connections_at_once_is_learned(
    connections: int, queue: Any, limited: Any, run: Any, session: Session
) -> None:
    here = limited(connections=connections)
    queue(200)
    run()
    assert attempts(session) == {("sent", 1)}
    assert here.limits.refused.count("connections") <= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "reply", [b"452 4.5.3 Too many messages, slow down", b"450 4.7.1 Error: rate limit exceeded"]
)
def test_the_number_of_messages_in_a_time_is_learned_and_kept(
    reply: bytes,
    queue: Any,
    limited: Any,
    run: Any,
    session: Session,
    instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(instance.settings._values, "masthead.email.login_window", 2)
    here = limited(per_window=40, window=2.0, per_window_reply=reply)
    queue(120)
    seconds = run()
    assert attempts(session) == {("sent", 1)}
    # Each connection finds it out at most once. A machine under load is slow.
    assert here.limits.refused.count("per window") <= 10
    assert seconds <= 3 * 2 * 1.5
    state = session.scalars(select(RelayState)).one()
    assert (state.rate_limit, state.message_limit) == (40, None)


@pytest.mark.slow
def test_connections_stay_open_from_run_to_run(
    queue: Any, limited: Any, run: Any, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = limited()
    monkeypatch.setitem(instance.settings._values, "masthead.email.rate", 120)
    queue(16)
    run()
    assert len(here.taken) == 16
    assert here.connections == 1


def test_a_kept_connection_that_the_relay_has_closed_is_replaced(
    queue: Any, limited: Any, session: Session, instance: Instance
) -> None:
    here = limited()
    queue(40)
    runner = DeliveryRunner(instance)
    runner.run(instance, lambda: len(here.taken) < 5)
    for each in here.sessions:
        each.transport.abort()
    runner.run(instance, lambda: True)
    assert attempts(session) == {("sent", 1)}


def test_workers_share_what_they_learn(
    queue: Any, limited: Any, run: Any, session: Session, instance: Instance
) -> None:
    here = limited(logins=3, window=1.0, messages=5)
    queue(30)
    run()
    seen = len(here.limits.refused)
    queue(15)
    DeliveryRunner(instance).run(instance, lambda: True)
    session.rollback()
    assert len(here.limits.refused) == seen


@pytest.fixture
def next_pause(instance: Instance, session: Session, clock: Clock) -> Callable[[], float]:
    """Return a function that lets a worker try, waits for its next try, and returns the seconds."""
    runner = DeliveryRunner(instance)

    def run() -> float:
        assert runner.has_work(instance)
        runner.run(instance, lambda: True)
        assert not runner.has_work(instance)
        session.rollback()
        state = session.scalars(select(RelayState)).one()
        assert state.retry_at is not None
        pause = (state.retry_at - utcnow()).total_seconds()
        clock.shift(seconds=pause)
        return pause

    return run


def test_a_relay_that_accepts_nothing_is_left_alone_for_growing_pauses(
    queue: Any, relay: Any, send_by: Any, session: Session, next_pause: Callable[[], float]
) -> None:
    here = relay(answer=lambda stage, _: b"421 4.3.2 full" if stage == "greeting" else None)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(1)

    pauses = [next_pause() for _ in range(4)]

    within = [0.7 < pause / wanted <= 1 for pause, wanted in zip(pauses, [1, 2, 4, 4], strict=True)]
    assert within == [True] * 4, pauses
    assert attempts(session) == {("queued", 0)}


def test_a_relay_that_is_away_is_tried_again_after_a_part_of_its_absence(
    queue: Any, send_by: Any, session: Session, next_pause: Callable[[], float]
) -> None:
    send_by("smtp://127.0.0.1:9")
    queue(1)

    ages, pauses = [0.0], list[float]()
    while ages[-1] < 30:
        pauses.append(next_pause())
        ages.append(ages[-1] + pauses[-1])

    wanted = [min(max(1, age / 3), 4) for age in ages[:-1]]
    within = [0.7 < pause / each <= 1.1 for pause, each in zip(pauses, wanted, strict=True)]
    assert set(within) == {True}, pauses
    assert attempts(session) == {("queued", 0)}


def test_mail_waits_a_day_for_the_relay(
    queue: Any, send_by: Any, instance: Instance, session: Session, clock: Clock
) -> None:
    """Then newsletters and composed e-mails are paused, and other mail fails."""
    send_by("smtp://127.0.0.1:9")
    composed, account = queue(3), queue(1, ACCOUNT)
    runner = DeliveryRunner(instance)
    runner.run(instance, lambda: True)
    clock.shift(hours=23)
    late = queue(1, ACCOUNT)
    runner.run(instance, lambda: True)
    assert attempts(session) == {("queued", 0)}
    clock.shift(hours=2)
    runner.run(instance, lambda: True)
    session.rollback()
    assert session.get_one(Message, composed).state == "paused"
    states = dict(iter(session.execute(select(Delivery.message_id, Delivery.state))))
    assert states == {composed: "queued", account: "failed", late: "queued"}


def test_a_learned_limit_is_tried_again_after_an_hour(
    queue: Any, limited: Any, run: Any, session: Session, clock: Clock
) -> None:
    here = limited(messages=5)
    queue(40)
    run()
    here.limits.messages = None
    clock.shift(minutes=61)
    queue(20)
    run()
    assert session.scalars(select(RelayState.message_limit)).one() == 6


def test_a_message_that_is_deferred_for_a_day_counts_attempts(
    queue: Any, relay: Any, send_by: Any, session: Session, instance: Instance, clock: Clock
) -> None:
    """A reply such as 421 to its content may have its cause in the content, after all."""

    def answer(asked: str, said: bytes) -> bytes | None:
        return b"421 4.3.0 Failure" if asked == "dot" and b"a0@" in said else None

    send_by(f"smtp://127.0.0.1:{relay(answer=answer).port}")
    queue(2)
    runner = DeliveryRunner(instance)
    runner.run(instance, lambda: True)
    assert attempts(session) == {("queued", 0), ("sent", 1)}
    clock.shift(hours=25)
    runner.run(instance, lambda: True)
    assert attempts(session) == {("queued", 1), ("sent", 1)}
    for delay in (timedelta(minutes=6), timedelta(hours=1), timedelta(hours=4), timedelta(days=1)):
        clock.shift(seconds=delay.total_seconds())
        runner.run(instance, lambda: True)
    assert attempts(session) == {("failed", 5), ("sent", 1)}
