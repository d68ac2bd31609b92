"""The status of the relay and of the outbox for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox.restore_guard import (
    mark_copied,
    pause_sending,
    record_place,
    resume_sending,
)


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.timeout": "2", "masthead.email.from": "Our Club <news@example.org>"}


def mail_status(app: Client) -> tuple[str, str]:
    checks = app.as_role("admin").get("/status").json["checks"]
    return checks["email.relay"], checks["email.outbox"]


def test_a_relay_without_trouble_is_fine(app: Client) -> None:
    assert mail_status(app) == ("ok", "ok")


def test_a_relay_that_is_down_is_reported_with_the_time_of_the_next_try(
    app: Client, instance: Instance, queue: Any, send_by: Any
) -> None:
    send_by("smtp://127.0.0.1:9")
    queue(["ada@example.net"])
    DeliveryRunner(instance).run(instance, lambda: True)
    relay, outbox = mail_status(app)
    assert "127.0.0.1:9 can't be reached" in relay
    assert "next try at 2" in relay
    assert outbox == "ok"


def test_paused_messages_are_reported_with_the_words_of_the_relay(
    app: Client, instance: Instance, queue: Any, relay: Any, send_by: Any
) -> None:
    here = relay(answer=lambda at, _: b"550 5.1.8 Bad sender" if at == "RCPT" else None)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(["ada@example.net"])
    DeliveryRunner(instance).run(instance, lambda: True)
    assert mail_status(app) == ("ok", "paused: News: 550 5.1.8 Bad sender")


def test_a_pause_of_all_sending_is_reported(app: Client, instance: Instance) -> None:
    with instance.database.transaction() as session:
        pause_sending(session, instance)
    assert mail_status(app)[1] == "all sending is paused"


def test_a_copy_is_reported_before_a_worker_has_paused_it(app: Client, instance: Instance) -> None:
    def paused() -> float:
        figures = app.as_role("admin").get("/api/staff/system").json["figures"]
        (value,) = [
            each["value"] for each in figures if each["name"] == "masthead_email_outbox_paused"
        ]
        return float(value)

    with instance.database.transaction() as session:
        mark_copied(session)

    assert mail_status(app)[1].startswith("all sending is paused: the database seems to be a copy")
    assert paused() == 1
    with instance.database.transaction() as session:
        resume_sending(session, instance)
    with instance.database.session(read_only=True) as session:
        record_place(session, instance)
    assert mail_status(app)[1] == "ok"
