"""The brake: equal refusals in a row pause a message, and condemn no recipient."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.testing import Clock
from masthead_email.delivery.brake import kind_of
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.failures import Failure
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import (
    ACCOUNT,
    COMPOSED,
    Delivery,
    Message,
    Refusal,
    RelayState,
    Suppression,
)

pytestmark = pytest.mark.product

GONE = b"550 5.1.1 <%b>: User unknown in table"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.brake": "20",
    }


@pytest.fixture
def refusing(relay: Any, send_by: Any) -> Callable[..., Any]:
    """Return a function that starts a relay whose answers a function of the recipient gives."""

    def start(reply: Callable[[bytes], bytes | None], stage: str = "RCPT") -> Any:
        def answer(asked: str, said: bytes) -> bytes | None:
            address = said.partition(b"<")[2].partition(b">")[0] if stage == "RCPT" else said
            return reply(address) if asked == stage else None

        here = relay(answer=answer)
        send_by(f"smtp://127.0.0.1:{here.port}")
        return here

    return start


def states(session: Session) -> dict[str, int]:
    session.rollback()
    found: dict[str, int] = {}
    for state in session.scalars(select(Delivery.state)):
        found[state] = found.get(state, 0) + 1
    return found


def suppressed(session: Session) -> set[str]:
    return set(session.scalars(select(Suppression.address)))


@pytest.mark.parametrize("stage", ["RCPT", "dot"])
@pytest.mark.parametrize(
    "reply",
    [
        b"550 5.1.0 Sender denied",
        b"550 5.1.1 Unknown user",
        b"554 5.7.1 Access denied",
        b"550 No such user here",
        b"550 5.4.5 Daily quota exceeded",
        b"553 5.1.8 Sender address rejected",
    ],
)
def test_a_relay_that_refuses_every_recipient_pauses_the_message_and_condemns_nobody(
    *,
    stage: str,
    reply: bytes,
    queue: Any,
    refusing: Any,
    deliver: Any,
    session: Session,
    instance: Instance,
    make_user: Any,
    app: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ada = make_user("ada", role="editor")
    answers: list[bytes | None] = [reply]
    here = refusing(lambda _: answers[0], stage)
    queue(60)
    with caplog.at_level(logging.ERROR):
        deliver()
    words = reply.decode()
    message = session.scalars(select(Message).where(Message.kind == COMPOSED)).one()
    assert message.state == "paused"
    assert words in str(message.pause_reason)
    assert words in caplog.text
    assert states(session) == {"queued": 60}
    assert set(session.scalars(select(Delivery.attempts))) == {0}
    assert suppressed(session) == set()
    (notice,) = app.as_user(ada).get("/api/staff/notifications").json
    assert words in notice["message"]
    assert len([said for said in here.said if said.startswith(b"RCPT")]) < 40

    answers[0] = None
    with instance.database.transaction() as writing:
        outbox.resume(writing, message.id)
    deliver()
    assert states(session) == {"sent": 60}
    assert session.scalars(select(Refusal)).all() == []


def test_staff_are_told_of_a_relay_that_refuses_a_message_which_a_user_pauses_at_that_moment(
    queue: Any,
    refusing: Any,
    deliver: Any,
    session: Session,
    instance: Instance,
    make_user: Any,
    app: Any,
) -> None:
    ada = make_user("ada", role="editor")
    refused = count(1)

    def pause_before_the_limit(_: bytes) -> bytes:
        if next(refused) == 20:
            with instance.database.transaction() as writing:
                outbox.pause(writing, number)
        return b"550 5.1.1 Unknown user"

    refusing(pause_before_the_limit)
    number = queue(60)
    deliver()

    message = session.get_one(Message, number)
    assert (message.state, message.pause_reason) == ("paused", None)
    assert states(session) == {"queued": 60}
    assert suppressed(session) == set()
    (notice,) = app.as_user(ada).get("/api/staff/notifications").json
    assert "Unknown user" in notice["message"]


@pytest.mark.parametrize("kind", [COMPOSED, ACCOUNT])
def test_the_words_that_staff_read_name_no_recipient(
    kind: str, queue: Any, refusing: Any, deliver: Any, session: Session, make_user: Any, app: Any
) -> None:
    ada = make_user("ada", role="editor")
    refusing(lambda address: GONE % address)
    queue(30, kind)
    deliver()
    [notice] = app.as_user(ada).get("/api/staff/notifications").json
    assert "550 5.1.1 …: User unknown in table" in notice["message"]
    reasons = session.scalars(select(Message.pause_reason).where(Message.kind == kind)).one()
    assert "@" not in str(reasons)


def test_a_few_recipients_that_are_all_gone_fail_and_are_suppressed(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    refusing(lambda address: GONE % address)
    queue(5)
    deliver()
    assert states(session) == {"failed": 5}
    assert suppressed(session) == {f"a{n}@example.net" for n in range(5)}


def test_recipients_that_are_gone_among_others_are_suppressed(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    refusing(lambda address: GONE % address if b"3" in address else None)
    queue(200)
    deliver()
    gone = {f"a{n}@example.net" for n in range(200) if "3" in str(n)}
    assert states(session) == {"failed": len(gone), "sent": 200 - len(gone)}
    assert suppressed(session) == gone


def test_refusals_that_differ_are_no_run(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    words = [b"gone", b"unknown", b"closed", b"left", b"moved"]

    def reply(address: bytes) -> bytes:
        number = int(address.partition(b"@")[0][1:])
        return b"550 5.1.1 %b %b" % (words[number % 5], words[number // 5 % 5])

    refusing(reply)
    queue(60)
    deliver()
    assert states(session) == {"failed": 60}
    assert len(suppressed(session)) == 60


def test_many_equal_refusals_among_the_first_hundred_pause_a_message(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    """For example one of two servers behind the relay's name refuses everything."""
    refusing(lambda address: GONE % address if int(address[1:-12]) % 4 else None)
    queue(100)
    deliver()
    found = states(session)
    assert set(found) == {"queued", "sent"}
    assert found["sent"] < 40
    assert suppressed(session) == set()


def test_an_old_list_passes_after_a_few_resumptions(
    queue: Any, refusing: Any, deliver: Any, session: Session, instance: Instance
) -> None:
    refusing(lambda address: GONE % address)
    message_id = queue(300)
    resumptions = 0
    deliver()
    while states(session) != {"failed": 300}:
        with instance.database.transaction() as writing:
            outbox.resume(writing, message_id)
        resumptions += 1
        assert resumptions < 4
        deliver()
    assert len(suppressed(session)) == 300


@pytest.mark.parametrize("reply", [b"450 4.2.0 Later", b"451 Temporary lookup failure"])
def test_equal_transient_refusals_in_a_row_let_the_relay_rest_and_cost_no_attempt(
    reply: bytes, queue: Any, refusing: Any, session: Session, instance: Instance, clock: Clock
) -> None:
    runner = DeliveryRunner(instance)
    answers: list[bytes | None] = [reply]
    here = refusing(lambda _: answers[0])
    queue(60)
    runner.run(instance, lambda: True)
    assert states(session) == {"queued": 60}
    assert set(session.scalars(select(Delivery.attempts))) == {0}
    assert reply.decode() in str(session.scalars(select(RelayState.trouble)).one())
    # The relay may read the QUIT of its connections later.
    asked = sum(line.startswith(b"RCPT") for line in here.said)
    runner.run(instance, lambda: True)
    assert sum(line.startswith(b"RCPT") for line in here.said) == asked
    answers[0] = None
    clock.shift(hours=1)
    runner.run(instance, lambda: True)
    assert states(session) == {"sent": 60}


def test_mail_that_can_not_be_paused_waits_for_the_relay(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    refusing(lambda _: b"550 5.1.1 Sender denied")
    for number in range(30):
        queue(1, ACCOUNT, f"a{number}-")
    deliver()
    assert states(session)["queued"] >= 20
    assert "Sender denied" in str(session.scalars(select(RelayState.trouble)).one())
    assert suppressed(session) == set()


def test_a_worker_that_is_killed_condemns_nobody(
    queue: Any, refusing: Any, deliver: Any, session: Session, instance: Instance
) -> None:
    """The refusals of both workers count together."""
    here = refusing(lambda address: GONE % address)
    message_id = queue(60)
    # The first worker is killed after some refusals: it neither judges nor settles anything.
    DeliveryRunner(instance).run(instance, lambda: len(here.said) < 30)
    assert suppressed(session) == set()
    with instance.database.transaction() as writing:
        sending = update(Delivery).where(Delivery.state == "sending")
        writing.execute(sending.values(state="queued"))
    deliver()
    session.rollback()
    assert session.get_one(Message, message_id).state == "paused"
    assert states(session) == {"queued": 60}
    assert suppressed(session) == set()


def test_a_pause_by_the_relay_frees_earlier_refusals(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    asked: list[bytes] = []

    def reply(address: bytes) -> bytes:
        asked.append(address)
        return GONE % address if len(asked) < 10 else b"550 5.4.5 Quota exceeded"

    refusing(reply)
    queue(60)
    deliver()
    assert states(session) == {"queued": 60}
    assert suppressed(session) == set()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("550 5.1.1 <a@x.org>: unknown", "550 5.1.1 <b@y.net>: unknown", True),
        ("550 denied (id 7F3A-22)", "550 denied (id 8C-1)", True),
        ("550 host mx1.x.org said no", "550 host mx2.y.org said no", True),
        ("550 5.1.1 unknown", "550 5.1.0 unknown", False),
        ("550 unknown", "554 unknown", False),
        ("550 5.1.1 unknown", "550 5.1.1 disabled", False),
    ],
)
def test_words_are_compared_without_addresses_and_ids(one: str, other: str, same: bool) -> None:
    assert (kind_of(one) == kind_of(other)) is same


def test_the_failure_of_a_refused_delivery_is_stored(
    queue: Any, refusing: Any, deliver: Any, session: Session
) -> None:
    refusing(lambda _: b"554 5.7.1 No")
    queue(2)
    deliver()
    assert set(session.scalars(select(Delivery.failure))) == {Failure.POLICY}


def test_cancelling_a_message_forgets_its_run_of_refusals(
    queue: Any, refusing: Any, deliver: Any, session: Session, instance: Instance
) -> None:
    here = refusing(lambda address: GONE % address)
    message_id = queue(60)
    DeliveryRunner(instance).run(instance, lambda: len(here.said) < 15)
    with instance.database.transaction() as writing:
        outbox.cancel(writing, message_id)
    queue(1, ACCOUNT, "b")
    deliver()
    assert "a0@example.net" not in suppressed(session)
    assert session.scalars(select(Refusal).where(Refusal.group_id == message_id)).all() == []


def test_a_refusal_before_a_release_condemns_nobody_after_it(
    queue: Any, refusing: Any, deliver: Any, session: Session, instance: Instance
) -> None:
    here = refusing(lambda address: GONE % address if address.startswith(b"a") else None)
    queue(10)
    # A worker that is killed judges nothing.
    DeliveryRunner(instance).run(instance, lambda: len(here.said) < 15)
    with instance.database.transaction() as writing:
        refused = writing.scalars(select(Delivery.address).where(Delivery.state == "failed")).all()
        outbox.suppress(writing, refused[0], Failure.RECIPIENT_GONE, "no")
        outbox.release(writing, Suppression.address == refused[0])
    deliver()
    session.rollback()
    assert len(suppressed(session)) == 9
    assert refused[0] not in suppressed(session)
