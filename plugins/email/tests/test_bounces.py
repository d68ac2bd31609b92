"""Bounces, and the commands of ``masthead mail``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.cli import main
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import (
    NEWSLETTER,
    Delivery,
    Message,
    Outbox,
    Suppression,
)

REPORT = """\
From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: Undelivered
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; {recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} {said}

--b--
"""


def report_to(to: str, status: str = "5.1.1", action: str = "failed", said: str = "Refused") -> str:
    """Return a delivery status report."""
    return REPORT.format(to=to, recipient="other@x.test", action=action, status=status, said=said)


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.bounces": "bounces@example.org",
    }


@pytest.fixture
def ran(instance: Instance, database_url: str, settings: Mapping[str, str]) -> Any:
    """Return a function that runs ``masthead mail`` on the test's instance."""

    def run(*arguments: str, mail: str | bytes = "", **more: str) -> Result:
        named = {**settings, **more, "masthead.database.url": database_url}
        environ = {name.upper().replace(".", "_"): value for name, value in named.items()}
        environ |= {"MASTHEAD_DATA": str(instance.data), "MASTHEAD_PLUGINS": "email"}
        return CliRunner().invoke(main, ["mail", *arguments], input=mail, env=environ)

    return run


@pytest.fixture
def sent(queue: Any, relay: Any, send_by: Any, deliver: Any) -> Callable[[str], str]:
    """Return a function that sends a message to an address and returns its return path."""
    here = relay()
    send_by(f"smtp://127.0.0.1:{here.port}")

    def send(address: str) -> str:
        queue([address])
        deliver()
        path: str = here.taken[-1].sender.decode()
        return path

    return send


def test_a_hard_bounce_suppresses_the_address(
    sent: Callable[[str], str], ran: Any, session: Session
) -> None:
    path = sent("gone@example.net")
    assert path.startswith("bounces+")
    done = ran("bounces", mail=report_to(path))
    assert done.exit_code == 0, done.output
    assert done.output == "gone@example.net is suppressed: 5.1.1 smtp; 550 5.1.1 Refused\n"
    assert session.scalars(select(Suppression.address)).all() == ["gone@example.net"]
    assert session.scalars(select(Delivery.state)).one() == "failed"
    assert ran("suppressed").output.startswith("gone@example.net\t")

    assert ran("release", "Gone@example.net").exit_code == 0
    assert session.scalars(select(Suppression.address)).all() == []
    assert ran("release", "gone@example.net").exit_code == 1


@pytest.mark.parametrize("state", ["sent", "queued"])
def test_a_bounce_read_again_does_not_suppress_a_released_address(
    state: str,
    sent: Callable[[str], str],
    ran: Any,
    instance: Instance,
    session: Session,
    tmp_path: Path,
) -> None:
    """A folder that is no Maildir keeps its files, so each run reads them again."""
    path = sent("ada@example.net")
    with instance.database.transaction() as writing:
        # The state after a connection was lost before the relay acknowledged the message.
        writing.execute(update(Delivery).values(state=state))
    (tmp_path / "1.eml").write_text(report_to(path))
    assert "ada@example.net" in ran("bounces", str(tmp_path)).output
    assert ran("release", "ada@example.net").exit_code == 0

    again = ran("bounces", str(tmp_path))

    assert (again.exit_code, again.output) == (0, "ignored: it was processed before\n")
    assert session.scalars(select(Suppression.address)).all() == []
    assert session.scalars(select(Delivery.state)).one() == "failed"


@pytest.mark.parametrize(
    ("action", "status"),
    [("delayed", "4.4.1"), ("failed", "5.2.2"), ("delivered", "2.0.0"), ("failed", "5.7.1")],
)
def test_a_soft_bounce_suppresses_no_address(
    action: str, status: str, sent: Callable[[str], str], ran: Any, session: Session
) -> None:
    path = sent("ada@example.net")
    assert ran("bounces", mail=report_to(path, status, action)).exit_code == 0
    assert session.scalars(select(Suppression.address)).all() == []


@pytest.mark.parametrize(
    "to", ["bounces+1-0123456789abcdef@example.org", "news@example.org", "", "bounces+x@y", "+1-"]
)
def test_a_bounce_without_a_valid_return_path_suppresses_no_address(
    to: str, sent: Callable[[str], str], ran: Any, session: Session
) -> None:
    sent("ada@example.net")
    done = ran("bounces", mail=report_to(to))
    assert (done.exit_code, done.output[:8]) == (0, "ignored:")
    assert session.scalars(select(Suppression.address)).all() == []


@pytest.mark.parametrize(
    "mail", [b"\xff\xfe\x00", b"To: a@b\n\n" + b"x" * 100_000, REPORT.encode()[:300]]
)
def test_a_message_without_a_report_changes_nothing(mail: bytes, ran: Any) -> None:
    done = ran("bounces", mail=mail)
    assert (done.exit_code, done.output[:9]) == (0, "ignored: ")


def test_bounces_of_a_maildir_move_from_new_to_cur(
    sent: Callable[[str], str], ran: Any, tmp_path: Path
) -> None:
    report = report_to(sent("gone@example.net"))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "1.a").write_text(report)
    assert "gone@example.net" in ran("bounces", str(tmp_path)).output
    assert list((tmp_path / "new").iterdir()) == []
    assert [each.name for each in (tmp_path / "cur").iterdir()] == ["1.a:2,S"]


def test_a_suppressed_address_is_skipped(
    sent: Callable[[str], str], queue: Any, instance: Instance, session: Session
) -> None:
    sent("first@example.net")
    with instance.database.transaction() as writing:
        outbox.suppress(writing, "gone@example.net", "recipient-gone", "5.1.1")
    queue(["Gone@example.net"], NEWSLETTER)
    sent("x@example.net")
    found = dict(iter(session.execute(select(Delivery.address, Delivery.state))))
    assert found["gone@example.net"] == "skipped"


def test_a_restored_database_sends_nothing_until_it_is_resumed(
    sent: Callable[[str], str],
    queue: Any,
    ran: Any,
    instance: Instance,
    session: Session,
    deliver: Any,
) -> None:
    sent("first@example.net")
    if instance.database.dialect == "sqlite":
        (instance.data / "mail.place").write_text("elsewhere 7\n")
    else:
        with instance.database.transaction() as writing:
            writing.get_one(Outbox, 1).database_id = "elsewhere"
    queue(["second@example.net"])

    def states() -> list[str]:
        found = select(Delivery.state).where(Delivery.address == "second@example.net")
        return list(session.scalars(found))

    deliver()
    assert states() == ["queued"]
    assert ran("resume").output.startswith("Sending is resumed")
    sent("third@example.net")
    assert states() == ["sent"]
    assert session.scalars(select(Message.state).distinct()).all() == ["done"]
