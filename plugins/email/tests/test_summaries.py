"""Staff are told when many deliveries of a newsletter have failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead import utcnow
from masthead.testing import Client, Clock, Database
from masthead_email.outbox import messages
from masthead_email.outbox.models import FAILED, SENT, Delivery, Suppression


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
