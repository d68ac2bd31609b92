"""The IMAP mailbox of bounces, on a server of its own."""

from __future__ import annotations

import imaplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.testing.programs import free_port
from masthead_email.bounces.mailbox import read_mailbox
from masthead_email.outbox.models import Suppression

USER, PASSWORD = "bounces", "p@ss:word"


class Server:
    """A running IMAP server with one user."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"imap://{USER}:p%40ss%3Aword@127.0.0.1:{port}/INBOX?done=Done"

    def connect(self) -> imaplib.IMAP4:
        """Return a connection of the user."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=10)
        client.login(USER, PASSWORD)
        return client

    def append(self, *messages: str) -> None:
        """Add unread messages to the INBOX."""
        with self.connect() as client:
            for each in messages:
                client.append("INBOX", "", "", each.replace("\n", "\r\n").encode())

    def count(self, folder: str) -> int:
        """Return the number of messages in a folder; 0 if it is missing."""
        with self.connect() as client:
            kind, (number, *_) = client.select(folder, readonly=True)
            return int(number or 0) if kind == "OK" else 0


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    """Run a server for the tests of this module."""
    port = free_port()
    program = str(Path(sys.executable).with_name("pymap"))
    options = ["--host", "127.0.0.1", "--port", str(port), "--no-tls", "dict"]
    user = ["--demo-user", USER, "--demo-password", PASSWORD]
    process = subprocess.Popen([program, *options, *user], stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Server(port)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    """The server with an empty INBOX and no other folder."""
    yield running
    with running.connect() as client:
        client.select("INBOX")
        client.store("1:*", "+FLAGS", "\\Deleted")
        client.expunge()
        client.delete("Done")


def _suppressed(session: Session) -> list[str]:
    session.rollback()
    return sorted(session.scalars(select(Suppression.address)))


@pytest.mark.slow
def test_messages_of_a_mailbox_move_after_they_are_processed(
    server: Server,
    send: Callable[..., list[str]],
    report: Callable[..., str],
    bounces: Any,
    session: Session,
) -> None:
    first, second = send("ada@example.net", "eve@example.net")
    server.append(report(first), "Subject: Hello\n\nA letter\n", report(second))
    setting = {"masthead.email.bounces_mailbox": server.address}
    dry = bounces("--mailbox", "--dry-run", **setting)
    assert (dry.exit_code, server.count("INBOX"), _suppressed(session)) == (0, 3, [])

    done = bounces("--mailbox", **setting)

    assert (done.exit_code, done.output) == (0, dry.output)
    assert (server.count("INBOX"), server.count("Done")) == (0, 3)
    assert _suppressed(session) == ["ada@example.net", "eve@example.net"]
    assert bounces("--mailbox", **setting).output == ""


class TestTheWorker:
    """The chore of the worker that reads the mailbox."""

    @pytest.fixture
    def settings(self, running: Server) -> Mapping[str, str]:
        return {
            "masthead.email.bounces": "bounces@example.org",
            "masthead.email.from": "news@example.org",
            "masthead.email.bounces_mailbox": running.address,
        }

    def test_the_worker_reads_the_mailbox(
        self,
        server: Server,
        send: Callable[..., list[str]],
        report: Callable[..., str],
        work: Any,
        session: Session,
    ) -> None:
        (path,) = send("ada@example.net")
        server.append(report(path))
        work("email.bounces")
        assert _suppressed(session) == ["ada@example.net"]
        assert (server.count("INBOX"), server.count("Done")) == (0, 1)


@pytest.mark.parametrize("password", ["wrong", ""])
def test_a_refused_login_is_one_line_without_the_password(
    password: str, server: Server, bounces: Any
) -> None:
    address = f"imap://{USER}:{password}@127.0.0.1:{server.port}/INBOX"
    done = bounces("--mailbox", **{"masthead.email.bounces_mailbox": address})
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: the mailbox at 127.0.0.1:{server.port}: ")
    assert len(done.output.splitlines()) == 1
    assert not password or password not in done.output


def test_a_server_that_is_down_is_one_line(bounces: Any) -> None:
    address = "imaps://user:secret-word@127.0.0.1:9/INBOX"
    done = bounces("--mailbox", **{"masthead.email.bounces_mailbox": address})
    assert (done.exit_code, len(done.output.splitlines())) == (1, 1)
    assert "secret-word" not in done.output


def test_the_option_needs_the_setting(bounces: Any) -> None:
    done = bounces("--mailbox")
    assert done.exit_code == 1
    assert "masthead.email.bounces_mailbox names no mailbox" in done.output


@pytest.mark.parametrize(
    ("value", "port", "tls", "folder"),
    [
        ("imaps://a:b@mail.example.org", 993, True, "INBOX"),
        ("imap+ssl://a:b@mail.example.org/Lists/Bounces", 993, True, "Lists/Bounces"),
        ("imap://a:b@mail.example.org:1143/INBOX?tls=starttls", 1143, False, "INBOX"),
        ("imaps://a%40example.org:b@mail.example.org/A%20B?done=X", 993, True, "A B"),
    ],
)
def test_the_address_of_a_mailbox_is_parsed(value: str, port: int, tls: bool, folder: str) -> None:
    found = read_mailbox(value)
    assert found is not None
    assert (found.port, found.tls, found.folder) == (port, tls, folder)
    assert "b" not in repr(found).partition("password")[2]


@pytest.mark.parametrize(
    "value",
    [
        "pop://a:b@mail.example.org",
        "imaps://mail.example.org",
        "imaps://a:secret@",
        "imaps://a:secret@mail.example.org:x/INBOX",
        "imaps://a:secret@mail.example.org/?tls=starttls",
        "imap://a:secret@mail.example.org/?other=1",
        "mail.example.org",
    ],
)
def test_another_address_is_refused_without_the_password(value: str) -> None:
    with pytest.raises(ValueError, match=r"address such as|no options but") as caught:
        read_mailbox(value)
    assert "secret" not in str(caught.value)
