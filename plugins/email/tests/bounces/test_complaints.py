"""Complaints by feedback reports."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.testing import Client
from masthead_email.outbox.models import Delivery, Suppression
from masthead_email.outbox.services import release, suppress
from masthead_email.subscribers.models import Subscriber

REPORT = """\
From: feedback@isp.example
To: {to}
Subject: Complaint
Content-Type: multipart/report; report-type=feedback-report; boundary="a"

--a
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Loop/1.0
Version: 1
Original-Rcpt-To: <eve@example.net>

--a
Content-Type: message/rfc822

Subject: May
{original}

Hello
--a--
"""


@pytest.fixture
def complaint(
    relayed: Any, subscribe: Any, make_newsletter: Any, staff: Client, deliver: Any
) -> Callable[[str], str]:
    """Send a newsletter; return a function that makes a complaint of Ada, by a kind of proof."""
    subscribe("ada@example.net", "eve@example.net")
    staff.post_json(f"/api/staff/newsletters/{make_newsletter()['id']}/send", {})
    deliver()
    (taken,) = (each for each in relayed.taken if each.recipient == b"ada@example.net")
    path = taken.sender.decode()
    found = re.search(r"List-Unsubscribe: (\S+)", taken.content.decode())
    assert found is not None
    proofs = {
        "address": {"to": path, "original": "X-A: b"},
        "return path": {"to": "abuse@example.org", "original": f"Return-Path: <{path}>"},
        "link": {"to": "abuse@example.org", "original": f"List-Unsubscribe: {found[1]}"},
        "nothing": {"to": "abuse@example.org", "original": "To: ada@example.net"},
        "forged link": {
            "to": "abuse@example.org",
            "original": f"List-Unsubscribe: {found[1][:-5]}AAAA>",
        },
    }
    return lambda proof: REPORT.format(**proofs[proof])


def _found(session: Session) -> tuple[list[tuple[Any, ...]], list[str]]:
    session.rollback()
    rows = session.execute(select(Suppression.address, Suppression.kind))
    unsubscribed = select(Subscriber.email).where(Subscriber.status == "unsubscribed")
    return [tuple(row) for row in rows], list(session.scalars(unsubscribed))


@pytest.mark.parametrize("proof", ["address", "return path", "link"])
def test_who_complains_is_unsubscribed_and_suppressed_once(
    proof: str, complaint: Any, bounces: Any, instance: Instance, session: Session
) -> None:
    done = bounces(mail=complaint(proof))
    assert done.output == "ada@example.net has complained: it is unsubscribed and suppressed\n"
    assert _found(session) == ([("ada@example.net", "complaint")], ["ada@example.net"])

    with instance.database.transaction() as writing:
        release(writing, Suppression.address == "ada@example.net")
    assert bounces(mail=complaint(proof)).output == "ignored: it was processed before\n"
    assert _found(session)[0] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [("recipient-gone", "complaint"), ("repeated", "complaint"), ("manual", "manual")],
)
def test_a_complaint_about_a_suppressed_address_is_not_forgotten(
    before: str, after: str, complaint: Any, bounces: Any, instance: Instance, session: Session
) -> None:
    with instance.database.transaction() as writing:
        suppress(writing, "ada@example.net", before, "before")
    bounces(mail=complaint("address"))
    assert _found(session)[0] == [("ada@example.net", after)]

    with instance.database.transaction() as writing:
        suppress(writing, "ada@example.net", "recipient-gone", "later")
    assert _found(session)[0] == [("ada@example.net", after)]


@pytest.mark.parametrize("proof", ["nothing", "forged link"])
def test_a_complaint_without_proof_changes_nothing(
    proof: str, complaint: Any, bounces: Any, session: Session
) -> None:
    assert bounces(mail=complaint(proof)).output.startswith("ignored: it names no delivery")
    assert _found(session) == ([], [])


def test_a_link_proves_a_complaint_about_a_delivery_that_was_deleted(
    complaint: Any, bounces: Any, instance: Instance, session: Session
) -> None:
    with instance.database.transaction() as writing:
        writing.execute(delete(Delivery))
    bounces(mail=complaint("link"))
    assert _found(session) == ([("ada@example.net", "complaint")], ["ada@example.net"])


@pytest.mark.parametrize(("forged", "suppressed"), [(False, True), (True, False)])
def test_the_link_of_a_recipient_who_is_no_subscriber_proves_a_complaint(
    forged: bool,
    suppressed: bool,
    relayed: Any,
    staff: Client,
    deliver: Any,
    bounces: Any,
    session: Session,
) -> None:
    letter = '<p>Hello <a href="{{unsubscribe}}">no more</a></p>'
    body = {"subject": "Hi", "html_content": letter, "recipient_emails": ["mia@example.net"]}
    made = staff.post_json("/api/staff/compose-emails", body).json
    staff.post(f"/api/staff/compose-emails/{made['id']}/send")
    deliver()
    found = re.search(r"List-Unsubscribe: (\S+)", relayed.taken[-1].content.decode())
    assert found is not None
    link = f"{found[1][:-5]}AAAA>" if forged else found[1]

    bounces(mail=REPORT.format(to="abuse@example.org", original=f"List-Unsubscribe: {link}"))

    expected = [("mia@example.net", "complaint")] if suppressed else []
    assert _found(session)[0] == expected
