"""Failed deliveries of newsletters and composed e-mails are sent again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import select, update

from masthead import Instance, forget_person, utcnow
from masthead.testing import Client, Clock, Database
from masthead_email.delivery.store import DeliveryStore
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import ACTIVE, FAILED, Delivery, Message, Suppression
from masthead_email.sent_mail.retrying import queue_failed

pytestmark = pytest.mark.product

NEWSLETTERS = "/api/staff/newsletters"
ADA, BOB, CY, DEE = (f"{name}@example.org" for name in ("ada", "bob", "cy", "dee"))
ALL = (ADA, BOB, CY, DEE)
Send = Callable[[], Any]


@pytest.mark.parametrize(
    ("failures", "queued"),
    [
        (None, [ADA, BOB, CY, DEE]),
        (["mailbox-full"], [ADA, BOB]),
        (["unknown"], [DEE]),
        (["unknown", "policy"], [CY, DEE]),
        (["content-refused"], []),
        ([], []),
    ],
)
def test_failed_deliveries_are_sent_again_all_or_by_class(
    send: Send,
    fail: Callable[..., None],
    mails: Any,
    failures: Sequence[str] | None,
    queued: Sequence[str],
) -> None:
    sent = send()
    fail({ADA: "mailbox-full", BOB: "mailbox-full", CY: "policy", DEE: None})

    done = sent.retry(**({} if failures is None else {"failures": failures}))

    left_out = {"suppressed": 0, "unsubscribed": 0, "paused": 0, "erased": 0}
    assert done == {"success": True, "queued": len(queued), "leftOut": left_out}
    assert sent.report()["state"] == ("active" if queued else "done")
    assert sorted(mail["To"] for mail in mails()) == queued
    assert sent.counts() == {
        name: n for name, n in (("sent", len(queued)), ("failed", 4 - len(queued))) if n
    }
    assert sent.retry(failures=["mailbox-full"])["queued"] == (2 if ADA not in queued else 0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["recipient-gone", "complaint", "repeated", "manual"])
def test_a_retry_leaves_out_those_who_get_no_mail(
    app: Client,
    send: Send,
    fail: Callable[..., None],
    suppress: Callable[..., None],
    database: Database,
    mails: Any,
    kind: str,
) -> None:
    sent = send()
    fail(dict.fromkeys(ALL, "mailbox-full"))
    suppress(BOB, kind=kind)
    app.post_json("/api/newsletter/unsubscribe", {"email": CY})
    with database.transaction() as session:
        forget_person(session, DEE)

    done = sent.retry()

    newsletter = sent.path.startswith(NEWSLETTERS)
    left_out = {"suppressed": 1, "unsubscribed": int(newsletter), "paused": 0, "erased": 1}
    assert done["leftOut"] == left_out
    assert done["queued"] + sum(done["leftOut"].values()) == 4
    assert sorted(mail["To"] for mail in mails()) == [ADA, *([] if newsletter else [CY])]


@pytest.mark.parametrize("skipped", [True, False, None])
def test_a_retry_takes_skipped_deliveries_whose_reason_is_gone_if_it_is_asked_to(
    app: Client,
    staff: Client,
    send: Send,
    suppress: Callable[..., None],
    mails: Any,
    skipped: bool | None,
) -> None:
    suppress(ADA)
    suppress(DEE)
    sent = send()
    newsletter = sent.path.startswith(NEWSLETTERS)
    for address in (BOB, CY):
        app.post_json("/api/newsletter/unsubscribe", {"email": address})
    mails()
    first = sent.counts()
    staff.delete(f"/api/staff/email/suppressions/{ADA}")
    app.post_json("/api/newsletter/subscribe", {"email": BOB})

    done = sent.retry(**({} if skipped is None else {"skipped": skipped}))

    assert first == ({"skipped": 4} if newsletter else {"sent": 2, "skipped": 2})
    again = [ADA, BOB] if newsletter else [ADA]
    assert done["queued"] == (len(again) if skipped else 0)
    left_out = {"suppressed": 1, "unsubscribed": int(newsletter), "paused": 0, "erased": 0}
    assert done["leftOut"] == (left_out if skipped else dict.fromkeys(left_out, 0))
    received = sorted(mail["To"] for mail in mails())
    assert received == sorted([*(again if skipped else []), *([] if newsletter else [BOB, CY])])


def test_a_retry_while_the_mail_is_being_sent_queues_only_failed_deliveries(
    send: Send, database: Database, mails: Any
) -> None:
    sent = send()
    with database.transaction() as session:
        own = update(Delivery).where(Delivery.address == ADA)
        session.execute(own.values(state=FAILED, done_at=utcnow()))

    assert sent.retry()["queued"] == 1
    assert sorted(mail["To"] for mail in mails()) == [ADA, BOB, CY, DEE]
    assert sent.counts() == {"sent": 4}


def test_a_failure_after_a_retry_counts_although_an_earlier_one_was_forgiven(
    send: Send, fail: Callable[..., None], database: Database
) -> None:
    sent = send()
    fail({ADA: "policy"})
    forgiven = select(Delivery.forgiven).where(Delivery.address == ADA)
    with database.transaction() as session:
        outbox.suppress(session, ADA, "repeated", "no")
        outbox.release(session, Suppression.address == ADA)
        assert set(session.scalars(forgiven)) == {True}

    sent.retry()

    with database.transaction() as session:
        queued = forgiven.where(Delivery.state == "queued")
        assert session.scalars(queued).one() is False


def test_a_retry_of_a_paused_mail_waits(
    send: Send, fail: Callable[..., None], database: Database, mails: Any
) -> None:
    sent = send()
    fail({ADA: "policy"})
    with database.transaction() as session:
        session.execute(update(Message).values(state="paused"))

    assert sent.retry()["queued"] == 1
    assert sent.report()["state"] == "paused"
    assert mails() == []


def test_of_two_retries_at_once_one_queues_each_delivery(
    send: Send, fail: Callable[..., None], mails: Any
) -> None:
    sent = send()
    fail(dict.fromkeys(ALL, "policy"))
    together, numbers = Barrier(2), []

    def retry() -> None:
        together.wait()
        numbers.append(sent.retry()["queued"])

    threads = [Thread(target=retry) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(numbers) == [0, 4]
    assert sorted(mail["To"] for mail in mails()) == sorted(ALL)


@pytest.mark.parametrize(
    "body", [{"failures": ["x"]}, {"failures": "policy"}, {"failures": None}, {"failures": [1]}]
)
def test_a_retry_of_an_unknown_class_is_refused(
    send: Send, fail: Callable[..., None], body: Mapping[str, Any]
) -> None:
    sent = send()
    fail({ADA: "policy"})

    error = sent.staff.post_json(f"{sent.path}/retry", body, status=400).json["error"]

    assert error.startswith("failures: ")
    assert sent.counts() == {"queued": 3, "failed": 1}


def test_a_finished_retry_is_done_after_a_while(
    clock: Clock, send: Send, fail: Callable[..., None], mails: Any
) -> None:
    sent = send()
    fail(dict.fromkeys(ALL, "policy"))
    sent.retry()
    mails()
    state = sent.report()["state"]
    clock.shift(minutes=2)
    mails()

    assert (state, sent.report()["state"]) == ("active", "done")


def test_a_message_that_a_sender_closes_during_a_retry_stays_open(
    send: Send, fail: Callable[..., None], instance: Instance, database: Database, mails: Any
) -> None:
    sent = send()
    fail(dict.fromkeys(ALL, "policy"))
    with database.transaction() as session:
        session.execute(update(Message).values(state=ACTIVE))

    def close() -> None:
        with DeliveryStore(instance, timedelta(minutes=3)) as store:
            store.close_finished()

    closing = Thread(target=close)
    with database.transaction() as session:
        sources = select(Message.id).where(Message.source_id.is_not(None))
        message_id = session.scalars(sources).one()
        assert queue_failed(session, message_id, None)[0] == 4
        closing.start()
        # The sender's statement reads the deliveries and waits for the row of the message.
        closing.join(0.3)
    closing.join()

    assert sent.report()["state"] == ACTIVE
    assert len(mails()) == 4
