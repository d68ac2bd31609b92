"""Concurrent requests for newsletters and subscribers, on two servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select

from masthead import Instance
from masthead.testing import Database
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import Delivery, Message
from masthead_email.subscribers.models import Subscriber

pytestmark = pytest.mark.slow

MakeApproved = Callable[[], int]
SUBSCRIBERS = 20


@pytest.fixture
def make_approved(instance: Instance) -> MakeApproved:
    """Return a function that creates an approved newsletter; there are subscribers."""
    with instance.database.transaction() as session:
        if not session.scalar(select(func.count()).select_from(Subscriber)):
            names = (f"reader{number}@example.org" for number in range(SUBSCRIBERS))
            session.add_all(Subscriber(email=name) for name in names)

    def make() -> int:
        newsletter = Newsletter(title="May", subject="May", html_content="<p>May</p>")
        newsletter.approval_status = "approved"
        with instance.database.transaction() as session:
            session.add(newsletter)
        return newsletter.id

    return make


def messages(database: Database, newsletter_id: int) -> list[int]:
    """Return the number of deliveries of each message of a newsletter."""
    with database.session(read_only=True) as session:
        mine = select(Message.id).where(Message.source_id == newsletter_id)
        counted = (
            select(func.count())
            .where(Delivery.message_id.in_(mine), Message.id == Delivery.message_id)
            .group_by(Message.id)
        )
        return list(session.scalars(counted))


def test_of_two_sends_at_once_one_wins(
    runners: Any,
    ask: Any,
    staff: Any,
    instance: Instance,
    make_approved: MakeApproved,
    rounds: range,
) -> None:
    for _ in rounds:
        newsletter_id = make_approved()
        path = f"/api/staff/newsletters/{newsletter_id}/send"

        answers = runners.race(ask(staff.one, "POST", path), ask(staff.other, "POST", path))

        assert sorted(answer.status for answer in answers) == [200, 400]
        [won] = [answer.json for answer in answers if answer.status == 200]
        assert messages(instance.database, newsletter_id) == [won["sentTo"]]


def test_the_approved_text_is_sent(
    runners: Any,
    ask: Any,
    staff: Any,
    instance: Instance,
    make_approved: MakeApproved,
    rounds: range,
) -> None:
    for _ in rounds:
        newsletter_id = make_approved()
        path = f"/api/staff/newsletters/{newsletter_id}"

        sent, edited = runners.race(
            ask(staff.one, "POST", f"{path}/send"),
            ask(staff.editor, "PUT", path, {"subject": "Never approved"}),
        )

        assert sorted((sent.status, edited.status)) == [200, 400]
        with instance.database.session(read_only=True) as session:
            mine = select(Message.subject).where(Message.source_id == newsletter_id)
            assert list(session.scalars(mine)) == (["May"] if sent.status == 200 else [])


def test_of_two_concurrent_subscriptions_one_is_stored(
    runners: Any, ask: Any, staff: Any, instance: Instance, rounds: range
) -> None:
    for number in rounds:
        body = {"email": f"twice{number}@example.org"}
        path = "/api/newsletter/subscribe"

        answers = runners.race(*(ask(staff.one, "POST", path, body) for _ in range(4)))

        assert [answer.status for answer in answers] == [200] * 4
        with instance.database.session(read_only=True) as session:
            same = select(func.count()).where(Subscriber.email == body["email"])
            assert session.scalar(same) == 1
