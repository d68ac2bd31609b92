"""Sent newsletters and composed e-mails: the state of their deliveries, and sending again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.audit.models import AuditEntry
from masthead.testing import Client, Database
from masthead_email.failures import Failure
from masthead_email.outbox.models import (
    QUEUED,
    STATES,
    Delivery,
    Message,
)
from masthead_email.outbox.restore_guard import pause_sending

NEWSLETTERS = "/api/staff/newsletters"
COMPOSED = "/api/staff/compose-emails"
ADA, BOB, CY, DEE = (f"{name}@example.org" for name in ("ada", "bob", "cy", "dee"))
ALL = (ADA, BOB, CY, DEE)
Send = Callable[[], Any]


def test_sent_to_counts_those_who_are_mailed_and_says_who_is_left_out(
    send: Send, suppress: Callable[..., None], mails: Any
) -> None:
    suppress(BOB)
    suppress(DEE)

    sent = send()

    left_out = {"suppressed": 2, "paused": 0}
    assert sent.answer == {"success": True, "sentTo": 2, "leftOut": left_out}
    assert sorted(mail["To"] for mail in mails()) == [ADA, CY]
    report = sent.report()
    assert report["skippedBy"] == {
        "suppressed": 2,
        "unsubscribed": 0,
        "paused": 0,
        "cancelled": 0,
        "other": 0,
    }
    skipped = sent.recipients(state="skipped")
    assert {each["email"] for each in skipped} == {BOB, DEE}
    assert {each["error"] for each in skipped} == {"Address is suppressed"}


def test_a_mail_to_suppressed_addresses_only_is_done_at_once(
    send: Send, suppress: Callable[..., None]
) -> None:
    for address in ALL:
        suppress(address)

    sent = send()

    assert sent.answer["sentTo"] == 0
    assert sent.report()["state"] == "done"


def test_the_audit_log_says_how_many_were_left_out(
    send: Send, suppress: Callable[..., None], session: Session
) -> None:
    suppress(BOB)
    send()

    sends = select(AuditEntry.detail).where(AuditEntry.action.endswith(".send"))
    [detail] = session.scalars(sends)
    assert (detail["sentTo"], detail["suppressed"]) == (3, 1)


def test_a_mail_that_was_not_sent_has_no_deliveries(draft: Any) -> None:
    report = draft.report()

    assert {report[state] for state in STATES} == {0}
    assert (report["state"], report["pauseReason"]) == (None, None)
    assert report["waiting"] == {"reason": None, "retrying": 0, "nextTryAt": None}
    assert draft.recipients() == []
    for action in ("pause", "resume", "cancel", "retry"):
        error = draft.staff.post_json(f"{draft.path}/{action}", {}, status=400).json["error"]
        assert error.endswith("was not sent yet")


@pytest.mark.parametrize("path", [NEWSLETTERS, COMPOSED])
def test_an_unknown_mail_is_not_found(staff: Client, path: str) -> None:
    for report in ("deliveries", "recipients"):
        staff.get(f"{path}/99/{report}", status=404)
    for action in ("pause", "resume", "cancel", "retry"):
        staff.post_json(f"{path}/99/{action}", {}, status=404)


@pytest.mark.parametrize("query", [{"state": "x"}, {"failure": "gone"}, {"limit": "0"}])
def test_recipients_refuse_an_unknown_filter(draft: Any, query: Mapping[str, str]) -> None:
    error = draft.staff.get(f"{draft.path}/recipients", query, status=400).json["error"]

    assert error.startswith(f"{next(iter(query))}: ")


def test_a_mail_is_paused_resumed_and_cancelled(send: Send, mails: Any) -> None:
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
    send: Send, instance: Instance, database: Database
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


def test_failures_are_counted_and_listed_by_class(send: Send, fail: Callable[..., None]) -> None:
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
    [found] = sent.recipients(failure="policy")
    assert (found["email"], found["error"], found["attempts"]) == (CY, f"{CY}: no", 3)
    assert found["nextTryAt"] is None
    assert sent.recipients(limit=1, offset=2) == [sent.recipients()[2]]


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
    send: Send, suppress: Callable[..., None], mails: Any
) -> None:
    sent = send()
    suppress(BOB)

    assert sorted(mail["To"] for mail in mails()) == [ADA, CY, DEE]
    assert sent.report()["skippedBy"]["suppressed"] == 1
    assert sent.counts() == {"sent": 3, "skipped": 1}
    assert QUEUED not in sent.counts()
