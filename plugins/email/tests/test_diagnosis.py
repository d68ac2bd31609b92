"""The checks of mail for ``masthead doctor`` name the cause of each fault, and no password."""

from __future__ import annotations

import importlib.util
import logging
import sys
import threading
from collections.abc import Mapping
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from masthead import Instance, utcnow
from masthead.checking.at_start import warn_in_background
from masthead.checking.running import Finding, run_checks
from masthead_email.outbox import messages
from masthead_email.outbox.models import COMPOSED, Message
from masthead_email.outbox.restore_guard import pause_sending
from masthead_email.settings import DKIM_KEY, NAMESERVER, WARM_UP

_spec = importlib.util.spec_from_file_location(
    "nameserver", Path(__file__).with_name("nameserver.py")
)
assert _spec is not None
assert _spec.loader is not None
nameservers = sys.modules.setdefault("nameserver", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(nameservers)


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.timeout": "2", "masthead.email.from": "Our Club <news@example.org>"}


def examine(instance: Instance) -> dict[str, Finding]:
    checks = [each for each in instance.all_checks if each.name.startswith("email.")]
    found = run_checks(instance, checks, 20)
    assert not any("hush" in each.text for each in found)
    return {each.name: each for each in found if each.text}


def test_each_fault_of_mail_is_named(
    instance: Instance, relay: Any, send_by: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = {
        "example.org": ["v=spf1 -all"],
        "_dmarc.example.org": ["v=DMARC1; p=none"],
    }
    values = instance.settings._values
    with nameservers.nameserver(records) as dns:
        address, port = dns.split(":")
        monkeypatch.setitem(values, NAMESERVER.name, (address, int(port)))
        send_by(f"smtp://127.0.0.1:{relay().port}?tls=none")
        assert examine(instance) == {}
        del records["_dmarc.example.org"]
        assert list(examine(instance)) == ["email.dns"]
        assert "DMARC" in examine(instance)["email.dns"].text
        records["_dmarc.example.org"] = ["v=DMARC1; p=none"]

        send_by("smtp://masthead:hush@127.0.0.1:9?tls=none")
        down = examine(instance)["email.connection"]
        assert (down.level, "127.0.0.1:9" in down.text) == ("error", True)
        refusing = relay(answer=lambda at, _: b"550 5.1.8 Bad sender" if at == "MAIL" else None)
        send_by(f"smtp://127.0.0.1:{refusing.port}?tls=none")
        assert "550 5.1.8 Bad sender" in examine(instance)["email.connection"].text
        late = format_datetime(utcnow() + timedelta(minutes=5)).encode()
        ahead = relay(answer=lambda at, _: b"220 mx ESMTP; " + late if at == "greeting" else None)
        send_by(f"smtp://127.0.0.1:{ahead.port}?tls=none")
        clock = examine(instance)
        assert list(clock) == ["email.connection"]
        assert "s behind the relay's" in clock["email.connection"].text
        send_by("mail.example.org:587")
        found = examine(instance)
        assert list(found) == ["email.transport"]
        assert found["email.transport"].text == (
            "masthead.email.transport: no transport for mail.example.org:; known are smtp, smtps,"
            " file, log"
        )
        send_by("")
        monkeypatch.setitem(values, DKIM_KEY.name, "missing.pem")
        assert "masthead.email.dkim" in examine(instance)["email.transport"].text


def test_the_start_tells_that_the_relay_refuses_and_does_not_wait_for_that(
    instance: Instance, relay: Any, send_by: Any, caplog: pytest.LogCaptureFixture
) -> None:
    refusing = relay(answer=lambda at, _: b"550 5.1.8 Bad sender" if at == "MAIL" else None)
    addresses = {
        "smtp://127.0.0.1:9": "127.0.0.1:9 can't be reached",
        f"smtp://127.0.0.1:{refusing.port}?tls=none": "550 5.1.8 Bad sender",
    }
    for address, expected in addresses.items():
        send_by(address)
        with caplog.at_level(logging.WARNING):
            warn_in_background(instance)
            next(each for each in threading.enumerate() if each.name == "start checks").join(20)
        (line,) = [each for each in caplog.messages if "email.connection" in each]
        assert expected in line
        assert "masthead mail check --to" in line
        caplog.clear()


def test_doctor_names_settings_that_stop_a_start(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(instance.settings._values, WARM_UP.name, 100)
    (start,) = [each for each in instance.all_checks if each.name == "start"]

    (found,) = run_checks(instance, [start], 20)

    assert found.level == "error"
    assert "masthead.email.warm_up and masthead.email.warm_up_start need each other" in found.text


def test_mail_that_waits_is_told_with_the_remedy(instance: Instance, send_by: Any) -> None:
    send_by("log:")
    with instance.database.transaction() as session:
        pause_sending(session, instance)
        message = messages.create_message(
            session, kind=COMPOSED, source_id=1, subject="News", html=None, text="Hi"
        )
        messages.add_recipients(session, message, [("ada@example.net", None)])
        long_ago = utcnow() - timedelta(hours=3)
        session.execute(update(Message).values(created_at=long_ago))

    found = examine(instance)

    assert found["email.outbox"].text == "all sending is paused"
    assert "masthead mail resume" in found["email.outbox"].remedy
    assert found["email.waiting"].text.startswith("mails that wait: 1, the oldest since 20")
    assert found["email.waiting"].level == "warning"
