"""Fixtures: sent messages, and the command that processes bounces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead import Instance
from masthead.cli import main


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.bounces": "bounces@example.org",
    }


@pytest.fixture
def bounces(instance: Instance, database_url: str, settings: Mapping[str, str]) -> Any:
    """Return a function that runs ``masthead mail bounces`` on the test's instance."""

    def run(*arguments: str, mail: str | bytes = "", **more: str) -> Result:
        named = {**settings, "masthead.database.url": database_url, **more}
        environ = {name.upper().replace(".", "_"): value for name, value in named.items()}
        environ |= {"MASTHEAD_DATA": str(instance.data), "MASTHEAD_PLUGINS": "email"}
        return CliRunner().invoke(main, ["mail", "bounces", *arguments], input=mail, env=environ)

    return run


@pytest.fixture
def send(queue: Any, relayed: Any, deliver: Any) -> Callable[..., list[str]]:
    """Return a function that sends a message to addresses and returns the return paths."""

    def send_to(*addresses: str) -> list[str]:
        queue(addresses)
        deliver()
        taken = {each.recipient.decode(): each.sender.decode() for each in relayed.taken}
        return [taken[each] for each in addresses]

    return send_to


@pytest.fixture
def report() -> Callable[..., str]:
    """Return a function that makes a delivery status report."""

    def make(to: str, status: str = "5.1.1", said: str = "550 5.1.1 no such user") -> str:
        return (
            f"From: MAILER-DAEMON@mx.example.net\nTo: {to}\nSubject: Undelivered\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n"
            f"Final-Recipient: rfc822; other@example.net\nAction: failed\nStatus: {status}\n"
            f"Diagnostic-Code: smtp; {said}\n\n--b--\n"
        )

    return make
