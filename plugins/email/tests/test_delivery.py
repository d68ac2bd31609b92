"""Delivery of the outbox to a relay."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import timedelta
from email import message_from_bytes, policy
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead.testing import Clock
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox import messages
from masthead_email.outbox.models import (
    ACCOUNT,
    COMPOSED,
    FOLLOW_UP,
    NEWSLETTER,
    NOTICE,
    Delivery,
    Message,
    Outbox,
)
from masthead_email.outbox.restore_guard import begin_run
from masthead_email.settings import RETRY_DELAYS
from masthead_email.subscribers.models import Subscriber

pytestmark = pytest.mark.any_database

CLOSE, STALL = b"\0close", b"\0stall"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.base_url": "https://api.example.org",
    }


@pytest.fixture
def queue(instance: Instance) -> Callable[..., int]:
    """Return a function that queues a message for addresses and returns its id."""

    def put(*addresses: str, kind: str = COMPOSED, **values: Any) -> int:
        mail = {"subject": "News", "html": "<p>Hello {{name}}</p>", "text": None, **values}
        with instance.database.transaction() as session:
            message = messages.create_message(session, kind=kind, source_id=1, **mail)
            messages.add_recipients(session, message, [(address, "Ada") for address in addresses])
            return message.id

    return put


@pytest.fixture
def subscribe(instance: Instance) -> Callable[[int], int]:
    """Return a function that queues a newsletter for a number of subscribers and returns its id."""

    def put(number: int) -> int:
        with instance.database.transaction() as session:
            session.add_all(Subscriber(email=f"s{n}@example.org") for n in range(number))
            session.flush()
            message = messages.create_message(
                session,
                kind=NEWSLETTER,
                source_id=1,
                subject="Hi",
                html="<p>Hi</p>",
                text=None,
                unsubscribe=True,
            )
            everybody = select(Subscriber.email, Subscriber.name, Subscriber.id)
            assert messages.fan_out(session, message, everybody) == number
            return message.id

    return put


def states(session: Session) -> dict[str, str]:
    rows = session.execute(select(Delivery.address, Delivery.state))
    return dict(iter(rows))


def smtp(relay: Any, extra: str = "") -> str:
    return f"smtp://127.0.0.1:{relay.port}{extra}"


def test_a_newsletter_reaches_everybody_once(
    subscribe: Any, relay: Any, send_by: Any, deliver: Any, session: Session
) -> None:
    here = relay()
    send_by(smtp(here))
    subscribe(50)
    deliver()
    assert sorted(t.recipient.decode() for t in here.taken) == sorted(
        f"s{n}@example.org" for n in range(50)
    )
    assert set(states(session).values()) == {"sent"}
    assert session.scalars(select(Message.state)).one() == "done"
    mail = message_from_bytes(here.taken[0].content, policy=policy.default)
    assert mail["List-Unsubscribe"].startswith("<https://api.example.org/api/newsletter/unsub")
    assert here.connections <= 4


def test_two_workers_that_start_concurrently_detect_no_restore(
    queue: Any, relay: Any, send_by: Any, instance: Instance, session: Session
) -> None:
    here = relay()
    send_by(smtp(here))
    rounds = int(os.environ.get("MASTHEAD_TEST_ROUNDS", "4"))
    for number in range(rounds):
        for name in ("mail.place", "mail.mark"):
            (instance.data / name).unlink(missing_ok=True)
        with instance.database.transaction() as writing:
            writing.execute(delete(Outbox))
        queue(f"s{number}@example.org")
        barrier = Barrier(2)

        def start(barrier: Barrier = barrier) -> None:
            runner = DeliveryRunner(instance)
            barrier.wait()
            runner.run(instance, lambda: True)

        threads = [Thread(target=start) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [found.paused for found in session.scalars(select(Outbox))] == [False]
    assert set(states(session).values()) == {"sent"}
    assert len(here.taken) == rounds


def test_a_worker_killed_at_its_start_does_not_pause_sending(
    queue: Any, relay: Any, send_by: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    send_by(smtp(relay()))
    queue("ada@example.org")
    with instance.database.transaction() as dying:
        assert begin_run(dying, instance)
    deliver()
    assert states(session) == {"ada@example.org": "sent"}


def test_the_next_envelope_is_pipelined_with_the_end_of_a_message(
    queue: Any, relay: Any, send_by: Any, deliver: Any
) -> None:
    here = relay(latency=0.05)
    send_by(smtp(here))
    queue(*(f"a{n}@example.org" for n in range(40)))
    deliver()
    times = sorted(taken.at for taken in here.taken)
    # Ten messages per connection: one round trip each takes 0.5 s, four would take 2 s.
    assert times[-1] - times[0] < 1.5


@pytest.mark.parametrize("extensions", [(), ("8BITMIME",), ("PIPELINING",)])
def test_a_relay_without_pipelining_gets_one_command_at_a_time(
    extensions: tuple[str, ...],
    queue: Any,
    relay: Any,
    send_by: Any,
    deliver: Any,
    session: Session,
) -> None:
    here = relay(extensions=extensions)
    send_by(smtp(here))
    queue(*(f"a{n}@example.org" for n in range(20)))
    deliver()
    assert len(here.taken) == 20
    assert set(states(session).values()) == {"sent"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "reply", "state"),
    [
        ("RCPT", b"550 5.1.1 No such user", "failed"),
        ("RCPT", b"450 4.2.1 Try later", "queued"),
        ("DATA", b"451 4.3.0 Later", "queued"),
        ("DATA", b"554 5.6.0 No", "failed"),
        ("dot", b"554 5.7.1 Spam", "failed"),
        ("dot", b"452 4.3.1 Full", "queued"),
        ("dot", CLOSE, "queued"),
        ("dot", STALL, "queued"),
        ("RCPT", CLOSE, "queued"),
        ("RCPT", b"421 4.3.2 Closing", "queued"),
        ("RCPT", b"999 what", "failed"),
        ("RCPT", b"hello", "queued"),
    ],
)
@pytest.mark.parametrize("extensions", [("PIPELINING",), ()])
def test_only_the_rejected_message_stays(
    *,
    stage: str,
    reply: bytes,
    state: str,
    extensions: tuple[str, ...],
    queue: Any,
    relay: Any,
    send_by: Any,
    deliver: Any,
    session: Session,
) -> None:
    told: list[bytes] = []

    def answer(asked: str, said: bytes) -> bytes | None:
        if asked == stage and (b"bad" in said or (stage == "DATA" and not told)):
            told.append(said)
            return reply
        return None

    here = relay(answer=answer, extensions=extensions)
    send_by(smtp(here))
    queue("bad@example.org", *(f"a{n}@example.org" for n in range(9)))
    deliver()
    found = states(session)
    if stage == "DATA":
        assert list(found.values()).count(state) == 1
    else:
        assert found["bad@example.org"] == state
    assert list(found.values()).count("sent") == 9
    assert len(here.taken) == 9


@pytest.mark.parametrize("stage", ["greeting", "MAIL", "AUTH"])
def test_a_rejection_of_the_sender_pauses_the_message_and_notifies_staff(
    *,
    stage: str,
    queue: Any,
    relay: Any,
    send_by: Any,
    deliver: Any,
    session: Session,
    make_user: Any,
    app: Any,
) -> None:
    ada = make_user("ada", role="editor")
    here = relay(
        answer=lambda asked, _: b"550 5.7.1 Not you" if asked == stage else None,
        extensions=("PIPELINING", "AUTH PLAIN LOGIN"),
    )
    address = smtp(here)
    send_by(address.replace("//", "//me:secret@") if stage == "AUTH" else address)
    queue("a@example.org", "b@example.org")
    deliver()
    assert set(states(session).values()) == {"queued"}
    assert set(session.scalars(select(Delivery.attempts))) == {0}
    message = session.scalars(select(Message).where(Message.kind == COMPOSED)).one()
    assert message.state == "paused"
    assert "Not you" in str(message.pause_reason)
    (notice,) = app.as_user(ada).get("/api/staff/notifications").json
    assert notice["title"] == "E-mail paused: News"


@pytest.mark.parametrize("kind", [NOTICE, FOLLOW_UP, ACCOUNT])
def test_a_rejection_of_the_sender_counts_as_an_attempt_of_unpausable_mail(
    *,
    kind: str,
    clock: Clock,
    queue: Any,
    relay: Any,
    send_by: Any,
    session: Session,
    instance: Instance,
) -> None:
    asked: list[str] = []

    def answer(at: str, _: bytes) -> bytes | None:
        asked.append(at)
        return b"550 5.7.1 Not you" if at == "MAIL" else None

    send_by(smtp(relay(answer=answer)))
    queue(*(f"a{n}@example.org" for n in range(10)), kind=kind)
    runner = DeliveryRunner(instance)
    for number, delay in enumerate(instance.settings[RETRY_DELAYS], 1):
        asked.clear()
        runner.run(instance, lambda: len(asked) < 1_000)
        rows = session.execute(select(Delivery.state, Delivery.attempts, Delivery.next_try_at))
        assert set(rows) == {("queued", number, utcnow() + timedelta(seconds=delay))}
        assert asked.count("MAIL") == 10
        session.rollback()
        clock.shift(seconds=delay)
    runner.run(instance, lambda: len(asked) < 1_000)
    assert set(session.execute(select(Delivery.state, Delivery.attempts))) == {("failed", 5)}


def test_the_rate_limit_holds_across_runs(
    queue: Any, relay: Any, send_by: Any, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = relay()
    send_by(smtp(here))
    monkeypatch.setitem(instance.settings._values, "masthead.email.rate", 1)
    queue(*(f"a{n}@example.org" for n in range(10)))
    runner = DeliveryRunner(instance)
    for _ in range(4):
        before = len(here.taken)
        runner.run(instance, lambda before=before: len(here.taken) == before)
    assert len(here.taken) == 1
