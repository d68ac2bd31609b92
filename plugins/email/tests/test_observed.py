"""The metrics and spans of mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import update

from masthead import Instance, utcnow
from masthead.telemetry import tracing
from masthead.testing import Client
from masthead.web.readings import Readings
from masthead_email.delivery.runner import relay_name
from masthead_email.outbox import messages
from masthead_email.outbox.models import COMPOSED, Delivery
from masthead_email.outbox.restore_guard import pause_sending

TOKEN = "0123456789abcdefghij"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.metrics.token": TOKEN,
    }


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.start(SimpleSpanProcessor(exporter))
    yield exporter
    tracing.stop()


def scrape(app: Client) -> list[str]:
    text: str = app.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    return text.splitlines()


def waiting(app: Client) -> list[Any]:
    figures = app.as_role("admin").get("/api/staff/system").json["figures"]
    labels = {"message": "active", "state": "queued"}
    return [
        each["value"]
        for each in figures
        if each["name"] == "masthead_email_outbox_deliveries" and each["labels"] == labels
    ]


def test_a_pause_of_all_sending_is_a_metric(app: Client, instance: Instance) -> None:
    assert "masthead_email_outbox_paused 0.0" in scrape(app)
    with instance.database.transaction() as session:
        pause_sending(session, instance)
    instance.shared(Readings).forget()

    assert "masthead_email_outbox_paused 1.0" in scrape(app)


def test_mail_is_measured_by_relay_and_outcome(
    app: Client,
    instance: Instance,
    relay: Callable[..., Any],
    send_by: Callable[[str], None],
    work: Callable[..., None],
    exported: InMemorySpanExporter,
) -> None:
    behaviour = relay()
    send_by(f"smtp://127.0.0.1:{behaviour.port}")
    scrape(app)
    with instance.database.transaction() as session:
        message = messages.create_message(
            session, kind=COMPOSED, source_id=1, subject="News", html=None, text="Hi"
        )
        messages.add_recipients(session, message, [("ada@example.net", None)])
        session.execute(update(Delivery).values(next_try_at=utcnow() + timedelta(days=365)))
    instance.shared(Readings).forget()
    assert waiting(app) == [1]

    with instance.database.transaction() as session:
        session.execute(update(Delivery).values(next_try_at=utcnow()))
    work("email.delivery")
    instance.shared(Readings).forget()

    labels = f'{{outcome="sent",relay="{relay_name(instance)}"}}'
    assert f"masthead_email_deliveries_total{labels} 1.0" in scrape(app)
    assert waiting(app) == [0]
    (mail,) = [each for each in exported.get_finished_spans() if each.name == "mail"]
    assert (mail.attributes or {})["masthead.outcome"] == "sent"
    assert mail.parent is not None
    assert "ada@example.net" not in mail.to_json()
