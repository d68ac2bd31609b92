"""Persons whose addresses are suppressed, and who subscribe again by the form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead.audit.models import AuditEntry
from masthead.testing import Client, Clock
from masthead_email.outbox.models import COMPLAINT, MANUAL, SUPPRESSION_KINDS, Suppression
from masthead_email.outbox.services import suppress as suppress_address

STAFF = "/api/staff/email/suppressions"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
Suppress = Callable[..., None]


def emails(staff: Client) -> list[str]:
    return [each["email"] for each in staff.get(STAFF).json]


@pytest.fixture
def confirming() -> str:
    """Whether the settings require a confirmation; the tests of links override it."""
    return "false"


@pytest.fixture
def settings(confirming: str) -> Mapping[str, str]:
    return {"masthead.email.confirm": confirming}


@pytest.fixture
def subscribe_again(app: Client, mails: Callable[[], list[Any]]) -> Callable[[], list[str]]:
    """Return a function that subscribes an address by the form and returns the new links."""

    def send(email: str = "ada@example.org") -> list[str]:
        before = {mail["Message-ID"] for mail in mails()}
        answer = app.post_json("/api/newsletter/subscribe", {"email": email})
        assert answer.json == app.post_json("/api/newsletter/subscribe", {"email": "x@b.test"}).json
        own = [mail for mail in mails() if mail["To"] == email]
        new = [mail for mail in own if mail["Message-ID"] not in before]
        return re.findall(
            r"/api/newsletter/confirm/\S+", "".join(mail.get_content() for mail in new)
        )

    return send


@pytest.mark.parametrize("confirming", ["false", "true"])
@pytest.mark.parametrize(("kind", "asked"), [(k, k != "manual") for k in SUPPRESSION_KINDS])
def test_who_subscribes_again_confirms_by_a_link_that_mail_arrives(
    app: Client,
    staff: Client,
    suppress: Suppress,
    subscribe_again: Callable[[], list[str]],
    kind: str,
    asked: bool,
) -> None:
    suppress("ada@example.org", kind)

    links = subscribe_again()

    assert len(links) == asked
    assert emails(staff) == ["ada@example.org"]
    if asked:
        app.get(links[0])
        assert emails(staff) == ["ada@example.org"], "Mail scanners follow links"
        app.post(links[0])
        assert emails(staff) == []
    found = staff.get(SUBSCRIBERS, {"search": "ada"}).json
    assert [each["deliverable"] for each in found] == [asked]


@pytest.mark.parametrize("confirming", ["false", "true"])
def test_a_suppressed_address_is_asked_once_a_week_whoever_subscribes_it(
    clock: Clock, suppress: Suppress, subscribe_again: Callable[[], list[str]]
) -> None:
    suppress("ada@example.org")
    numbers = []
    for hours in (0, 1, 24, 6 * 24, 1):
        clock.shift(hours=hours)
        numbers.append(len(subscribe_again()))

    assert numbers == [1, 0, 0, 1, 0]


@pytest.mark.parametrize("confirming", ["false", "true"])
def test_a_link_of_former_times_releases_no_address(
    app: Client,
    staff: Client,
    instance: Instance,
    suppress: Suppress,
    subscribe_again: Callable[[], list[str]],
) -> None:
    suppress("ada@example.org")
    [link] = subscribe_again()
    app.post(link)
    suppress("ada@example.org", "complaint")

    app.post(link)

    assert emails(staff) == ["ada@example.org"]
    with instance.database.transaction() as session:
        session.execute(update(Suppression).values(kind="manual", asked_at=utcnow()))
    app.post(link)
    assert emails(staff) == ["ada@example.org"]


@pytest.mark.parametrize("confirming", ["false", "true"])
@pytest.mark.parametrize("kind", sorted(set(SUPPRESSION_KINDS) - {COMPLAINT, MANUAL}))
def test_a_link_that_was_sent_before_a_complaint_does_not_end_it(
    clock: Clock,
    app: Client,
    staff: Client,
    instance: Instance,
    suppress: Suppress,
    subscribe_again: Callable[[], list[str]],
    kind: str,
) -> None:
    suppress("ada@example.org", kind)
    [link] = subscribe_again()
    clock.shift(minutes=1)
    with instance.database.transaction() as session:
        suppress_address(session, "ada@example.org", COMPLAINT, "Spam")

    app.post(link)

    assert emails(staff) == ["ada@example.org"]
    clock.shift(days=8)
    [link] = subscribe_again()
    app.post(link)
    assert emails(app.as_role("editor")) == []


def test_a_subscriber_without_confirmation_gets_no_mail_unless_the_address_is_suppressed(
    subscribe_again: Callable[[], list[str]], staff: Client
) -> None:
    assert subscribe_again() == []
    assert staff.get(SUBSCRIBERS, {"search": "ada"}).json[0]["status"] == "subscribed"


def test_the_audit_log_says_who_released_themselves(
    app: Client,
    staff: Client,
    session: Session,
    suppress: Suppress,
    subscribe_again: Callable[[], list[str]],
) -> None:
    suppress("ada@example.org")
    [link] = subscribe_again()
    app.post(link)

    [entry] = session.scalars(select(AuditEntry).where(AuditEntry.action == "suppression.release"))
    [subscriber] = staff.get(SUBSCRIBERS, {"search": "ada"}).json
    assert (entry.actor_id, entry.content_id) == (None, subscriber["id"])
