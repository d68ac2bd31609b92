"""Sent newsletters and composed e-mails: the state of their deliveries, and sending again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance, forget_person, utcnow
from masthead.audit.models import AuditEntry
from masthead.testing import Client, Clock, Database
from masthead_email.failures import Failure
from masthead_email.outbox import messages
from masthead_email.outbox.models import (
    DONE,
    FAILED,
    QUEUED,
    SENT,
    STATES,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.outbox.restore_guard import pause_sending

NEWSLETTERS = "/api/staff/newsletters"
COMPOSED = "/api/staff/compose-emails"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
ADA, BOB, CY, DEE = (f"{name}@example.org" for name in ("ada", "bob", "cy", "dee"))
ALL = (ADA, BOB, CY, DEE)


@dataclass
class Sent:
    """A mail that was sent to four addresses, some of them suppressed."""

    path: str
    staff: Client
    answer: dict[str, Any] = field(default_factory=dict)

    def report(self, client: Client | None = None) -> dict[str, Any]:
        found: dict[str, Any] = (client or self.staff).get(f"{self.path}/deliveries").json
        return found

    def counts(self) -> dict[str, int]:
        found = self.report()
        return {state: found[state] for state in STATES if found[state]}

    def recipients(self, **query: Any) -> list[Any]:
        found: list[Any] = self.staff.get(f"{self.path}/recipients", query).json
        return found

    def retry(self, **body: Any) -> dict[str, Any]:
        done: dict[str, Any] = self.staff.post_json(f"{self.path}/retry", body).json
        return done


@pytest.fixture
def suppress(instance: Instance) -> Callable[..., None]:
    """Return a function that suppresses addresses."""

    def store(*addresses: str, kind: str = "recipient-gone") -> None:
        with instance.database.transaction() as session:
            session.add_all(Suppression(address=a, kind=kind, reason="550") for a in addresses)

    return store


@pytest.fixture(params=[NEWSLETTERS, COMPOSED])
def draft(
    request: pytest.FixtureRequest, staff: Client, subscribe: Any, make_newsletter: Any
) -> Sent:
    """A newsletter for four subscribers, or a composed e-mail to four recipients."""
    if request.param == NEWSLETTERS:
        subscribe(*ALL)
        made = make_newsletter()
    else:
        body = {"subject": "May", "html_content": "<p>Hello</p>", "recipient_emails": list(ALL)}
        made = staff.post_json(COMPOSED, body).json
    return Sent(f"{request.param}/{made['id']}", staff)


@pytest.fixture
def send(draft: Sent) -> Callable[[], Sent]:
    """Return a function that sends the mail."""

    def post() -> Sent:
        draft.answer = draft.staff.post_json(f"{draft.path}/send", {}).json
        return draft

    return post


@pytest.fixture
def fail(instance: Instance) -> Callable[..., None]:
    """Return a function that makes the deliveries to addresses fail, and finishes the message."""

    def store(failures: Mapping[str, str | None]) -> None:
        with instance.database.transaction() as session:
            for address, failure in failures.items():
                session.execute(
                    update(Delivery)
                    .where(Delivery.address == address, Delivery.state != SENT)
                    .values(
                        state=FAILED,
                        failure=failure,
                        last_error=f"{address}: no",
                        done_at=utcnow(),
                        attempts=3,
                    )
                )
            session.execute(update(Message).values(state=DONE))

    return store


def test_sent_to_counts_those_who_are_mailed_and_says_who_is_left_out(
    send: Callable[[], Sent], suppress: Callable[..., None], mails: Any
) -> None:
    suppress(BOB, DEE)

    sent = send()

    assert sent.answer == {"success": True, "sentTo": 2, "leftOut": {"suppressed": 2}}
    assert sorted(mail["To"] for mail in mails()) == [ADA, CY]
    report = sent.report()
    assert report["skippedBy"] == {
        "suppressed": 2,
        "unsubscribed": 0,
        "cancelled": 0,
        "other": 0,
    }
    assert [each["email"] for each in sent.recipients(state="skipped")] == [BOB, DEE]
    assert {each["error"] for each in sent.recipients(state="skipped")} == {"Address is suppressed"}


def test_a_mail_to_suppressed_addresses_only_is_done_at_once(
    send: Callable[[], Sent], suppress: Callable[..., None]
) -> None:
    suppress(*ALL)

    sent = send()

    assert sent.answer["sentTo"] == 0
    assert sent.report()["state"] == "done"


def test_the_audit_log_says_how_many_were_left_out(
    send: Callable[[], Sent], suppress: Callable[..., None], session: Session
) -> None:
    suppress(BOB)
    send()

    sends = select(AuditEntry.detail).where(AuditEntry.action.endswith(".send"))
    [detail] = session.scalars(sends)
    assert (detail["sentTo"], detail["suppressed"]) == (3, 1)


def test_a_mail_that_was_not_sent_has_no_deliveries(draft: Sent) -> None:
    report = draft.report()

    assert {report[state] for state in STATES} == {0}
    assert (report["state"], report["pauseReason"]) == (None, None)
    assert report["waiting"] == {"reason": None, "retrying": 0, "nextTryAt": None}
    assert draft.recipients() == []
    for action in ("pause", "resume", "cancel", "retry"):
        error = draft.staff.post_json(f"{draft.path}/{action}", {}, status=400).json["error"]
        assert error.endswith("was not sent yet")


@pytest.mark.parametrize("action", ["deliveries", "recipients"])
def test_an_unknown_mail_has_no_report(staff: Client, action: str) -> None:
    for path in (NEWSLETTERS, COMPOSED):
        staff.get(f"{path}/99/{action}", status=404)
        staff.post_json(f"{path}/99/retry", {}, status=404)


def test_a_mail_is_paused_resumed_and_cancelled(send: Callable[[], Sent], mails: Any) -> None:
    sent = send()
    states = []
    for action in ("pause", "resume", "pause", "cancel"):
        sent.staff.post_json(f"{sent.path}/{action}", {})
        states.append(sent.report()["state"])

    assert states == ["paused", "active", "paused", "cancelled"]
    assert mails() == []
    report = sent.report()
    assert (report["skipped"], report["skippedBy"]["cancelled"]) == (4, 4)
    for action in ("pause", "resume", "cancel", "retry"):
        sent.staff.post_json(f"{sent.path}/{action}", {}, status=400)


def test_the_report_says_why_deliveries_wait(
    send: Callable[[], Sent], instance: Instance, database: Database
) -> None:
    sent = send()
    reasons = [sent.report()["waiting"]["reason"]]
    with database.transaction() as session:
        session.execute(update(Delivery).values(attempts=1, last_error="451 Later"))
    reasons.append(sent.report()["waiting"]["reason"])
    with database.transaction() as session:
        session.execute(update(Message).values(state="paused", pause_reason="535 Wrong password"))
    paused = sent.report()
    reasons.append(paused["waiting"]["reason"])
    with database.transaction() as session:
        pause_sending(session, instance)
    reasons.append(sent.report()["waiting"]["reason"])

    assert reasons == ["queued", "retrying", "paused", "outbox-paused"]
    assert (paused["state"], paused["pauseReason"]) == ("paused", "535 Wrong password")
    assert paused["waiting"]["retrying"] == 4
    assert paused["waiting"]["nextTryAt"] is not None
    assert {each["error"] for each in sent.recipients(state="queued")} == {"451 Later"}


def test_failures_are_counted_and_listed_by_class(
    send: Callable[[], Sent], fail: Callable[..., None]
) -> None:
    sent = send()
    fail({ADA: "mailbox-full", BOB: "mailbox-full", CY: "policy", DEE: None})

    report = sent.report()

    assert {name: n for name, n in report["failedBy"].items() if n} == {
        "mailbox-full": 2,
        "policy": 1,
        "unknown": 1,
    }
    assert report["failedBy"].keys() == {each.value for each in Failure}
    assert {each["email"]: each["failure"] for each in report["failures"]} == {
        ADA: "mailbox-full",
        BOB: "mailbox-full",
        CY: "policy",
        DEE: None,
    }
    assert [each["email"] for each in sent.recipients(failure="policy")] == [CY]
    [page] = sent.recipients(limit=1, offset=2)
    assert page["email"] == CY
    assert (page["attempts"], page["error"], page["nextTryAt"]) == (3, f"{CY}: no", None)


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
    send: Callable[[], Sent],
    fail: Callable[..., None],
    mails: Any,
    failures: Sequence[str] | None,
    queued: Sequence[str],
) -> None:
    sent = send()
    fail({ADA: "mailbox-full", BOB: "mailbox-full", CY: "policy", DEE: None})

    done = sent.retry(**({} if failures is None else {"failures": failures}))

    left_out = {"suppressed": 0, "unsubscribed": 0, "erased": 0}
    assert done == {"success": True, "queued": len(queued), "leftOut": left_out}
    assert sent.report()["state"] == ("active" if queued else "done")
    assert sorted(mail["To"] for mail in mails()) == queued
    assert sent.counts() == {
        name: n for name, n in (("sent", len(queued)), ("failed", 4 - len(queued))) if n
    }
    assert sent.retry(failures=["mailbox-full"])["queued"] == (2 if ADA not in queued else 0)


@pytest.mark.parametrize("kind", ["recipient-gone", "complaint", "repeated", "manual"])
def test_a_retry_leaves_out_those_who_get_no_mail(
    app: Client,
    send: Callable[[], Sent],
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
    assert done["leftOut"] == {"suppressed": 1, "unsubscribed": int(newsletter), "erased": 1}
    assert done["queued"] + sum(done["leftOut"].values()) == 4
    assert sorted(mail["To"] for mail in mails()) == [ADA, *([] if newsletter else [CY])]


def test_a_retry_while_the_mail_is_being_sent_queues_only_failed_deliveries(
    send: Callable[[], Sent], database: Database, mails: Any
) -> None:
    sent = send()
    with database.transaction() as session:
        own = update(Delivery).where(Delivery.address == ADA)
        session.execute(own.values(state=FAILED, done_at=utcnow()))

    assert sent.retry()["queued"] == 1
    assert sorted(mail["To"] for mail in mails()) == [ADA, BOB, CY, DEE]
    assert sent.counts() == {"sent": 4}


def test_a_retry_of_a_paused_mail_waits(
    send: Callable[[], Sent], fail: Callable[..., None], database: Database, mails: Any
) -> None:
    sent = send()
    fail({ADA: "policy"})
    with database.transaction() as session:
        session.execute(update(Message).values(state="paused"))

    assert sent.retry()["queued"] == 1
    assert sent.report()["state"] == "paused"
    assert mails() == []


def test_of_two_retries_at_once_one_queues_each_delivery(
    send: Callable[[], Sent], fail: Callable[..., None], mails: Any
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
    send: Callable[[], Sent], fail: Callable[..., None], body: Mapping[str, Any]
) -> None:
    sent = send()
    fail({ADA: "policy"})

    error = sent.staff.post_json(f"{sent.path}/retry", body, status=400).json["error"]

    assert error.startswith("failures: ")
    assert sent.counts() == {"queued": 3, "failed": 1}


def test_a_finished_retry_is_done_after_a_while(
    clock: Clock, send: Callable[[], Sent], fail: Callable[..., None], mails: Any
) -> None:
    sent = send()
    fail(dict.fromkeys(ALL, "policy"))
    sent.retry()
    mails()
    state = sent.report()["state"]
    clock.shift(minutes=2)
    mails()

    assert (state, sent.report()["state"]) == ("active", "done")


@pytest.mark.parametrize("path", [NEWSLETTERS, COMPOSED])
def test_the_recipients_need_the_permission_to_read_addresses(
    app: Client, make_role: Callable[..., Any], path: str
) -> None:
    make_role("writer", "email.read", "email.write")
    make_role("reader", "email.read", "email.addresses")

    app.as_role("writer").get(f"{path}/1/recipients", status=403)
    app.as_role("reader").get(f"{path}/1/recipients", status=404)
    app.as_role("reader").post_json(f"{path}/1/retry", {}, status=403)
    app.as_role("writer").post_json(
        f"{path}/1/retry", {}, status=404 if path == NEWSLETTERS else 403
    )


def test_a_test_mail_to_a_suppressed_address_is_refused(
    staff: Client, make_newsletter: Any, suppress: Callable[..., None], mails: Any
) -> None:
    suppress(ADA)
    path = f"{NEWSLETTERS}/{make_newsletter()['id']}/test"

    error = staff.post_json(path, {"email": "Ada@example.org"}, status=400).json["error"]

    assert error == "email: This address is suppressed, so no mail is sent to it"
    assert mails() == []


def test_queued_deliveries_to_an_address_that_is_suppressed_meanwhile_are_skipped(
    send: Callable[[], Sent], suppress: Callable[..., None], mails: Any
) -> None:
    sent = send()
    suppress(BOB)

    assert sorted(mail["To"] for mail in mails()) == [ADA, CY, DEE]
    assert sent.report()["skippedBy"]["suppressed"] == 1
    assert sent.counts() == {"sent": 3, "skipped": 1}
    assert QUEUED not in sent.counts()


def notices(client: Client) -> list[Any]:
    found: list[Any] = client.get("/api/staff/notifications").json
    return [each for each in found if each["title"].startswith("Many failed")]


def store_newsletter(database: Database, failed: int, sent: int, **values: Any) -> None:
    """Store the message of a newsletter with some failed and some sent deliveries."""
    with database.transaction() as session:
        values = {"kind": "newsletter", "source_id": 7, **values}
        message = messages.create_message(
            session, subject="News of May", html=None, text="Hello", **values
        )
        states = [FAILED] * failed + [SENT] * sent
        session.add_all(
            Delivery(
                message_id=message.id,
                address=f"a{number}@example.org",
                state=state,
                failure="policy" if state == FAILED and number % 2 else None,
                next_try_at=utcnow(),
            )
            for number, state in enumerate(states)
        )
        session.add(Suppression(address="a0@example.org", reason="550", message_id=message.id))


@pytest.mark.parametrize(
    ("failed", "sent", "told"), [(4, 0, 0), (5, 0, 1), (5, 245, 1), (5, 246, 0), (0, 9, 0)]
)
def test_staff_are_told_once_a_day_later_if_many_deliveries_failed(
    clock: Clock,
    staff: Client,
    database: Database,
    work: Callable[..., None],
    failed: int,
    sent: int,
    told: int,
) -> None:
    store_newsletter(database, failed, sent)
    clock.shift(hours=25)
    work("email.summaries")
    early = notices(staff)
    clock.shift(hours=2)
    work("email.summaries")
    clock.shift(hours=2)
    work("email.summaries")

    assert early == []
    found = notices(staff)
    assert len(found) == told
    for each in found:
        assert each["title"] == "Many failed deliveries: News of May"
        assert each["message"] == (
            f"{sent} sent, 5 failed (policy 2, unknown 3). Newly suppressed addresses: 1."
        )
        assert (each["contentType"], each["contentId"]) == ("newsletters", 7)


@pytest.mark.parametrize("values", [{"kind": "composed"}, {"source_id": None}])
def test_only_newsletters_are_summarised(
    clock: Clock,
    staff: Client,
    database: Database,
    work: Callable[..., None],
    values: Mapping[str, Any],
) -> None:
    store_newsletter(database, 9, 0, **values)
    clock.shift(hours=27)
    work("email.summaries")

    assert notices(staff) == []
