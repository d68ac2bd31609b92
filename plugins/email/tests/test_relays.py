"""The SMTP client with relays that are down, slow, strict or faulty."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead_email.failures import Failure
from masthead_email.outbox.models import Delivery, RelayState
from masthead_email.smtp.relay import read_relay
from masthead_email.smtp.replies import ProtocolError, ReplyParser

pytestmark = pytest.mark.any_database

CLOSE, STALL = b"\0close", b"\0stall"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.timeout": "1", "masthead.email.from": "Our Club <news@example.org>"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for 127.0.0.1, with its key."""
    file = tmp_path_factory.mktemp("tls") / "relay.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=relay", "-keyout", str(file) + ".key"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-out", str(file)),
        ],
        check=True,
        capture_output=True,
    )
    return file


def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, f"{certificate}.key")
    return context


def states(session: Session) -> list[tuple[str, int]]:
    rows = session.execute(select(Delivery.state, Delivery.attempts).order_by(Delivery.id))
    return [(state, attempts) for state, attempts in rows]


@pytest.mark.parametrize("wrapped", [True, False])
def test_tls_is_used_if_configured(
    *,
    wrapped: bool,
    certificate: Path,
    relay: Any,
    send_by: Any,
    queue: Any,
    deliver: Any,
    session: Session,
) -> None:
    here = relay(tls=tls(certificate), wrapped=wrapped)
    address = f"127.0.0.1:{here.port}?authority={certificate}"
    send_by(f"smtps://{address}" if wrapped else f"smtp://{address}&tls=starttls")
    queue(f"a{n}@example.net" for n in range(30))
    deliver()
    assert len(here.taken) == 30
    assert {state for state, _ in states(session)} == {"sent"}


@pytest.mark.parametrize("trusted", [True, False])
def test_nothing_is_sent_to_an_untrusted_relay(
    *,
    trusted: bool,
    certificate: Path,
    relay: Any,
    send_by: Any,
    queue: Any,
    deliver: Any,
    session: Session,
) -> None:
    """Neither if a required STARTTLS is missing, nor with an untrusted certificate."""
    here = relay() if trusted else relay(tls=tls(certificate))
    send_by(f"smtp://127.0.0.1:{here.port}?tls=starttls")
    queue(["a@example.net"])
    deliver()
    assert here.taken == []
    assert states(session) == [("queued", 0)]


@pytest.mark.parametrize("offered", ["AUTH PLAIN LOGIN", "AUTH LOGIN", "AUTH=LOGIN"])
def test_authentication_uses_a_mechanism_that_the_relay_offers(
    offered: str, relay: Any, send_by: Any, queue: Any, deliver: Any
) -> None:
    said: list[bytes] = []

    def answer(stage: str, text: bytes) -> bytes | None:
        if stage in ("AUTH", "LOGIN"):
            said.append(text)
        return None

    here = relay(answer=answer, extensions=("PIPELINING", offered))
    send_by(f"smtp://m%40e:p%3Ass@127.0.0.1:{here.port}")
    queue(["a@example.net"])
    deliver()
    assert len(here.taken) == 1
    if "PLAIN" in offered:
        assert said == [b"AUTH PLAIN AG1AZQBwOnNz"]
    else:
        assert said == [b"AUTH LOGIN", b"m@e p:ss"]


def test_internationalised_addresses_are_sent_with_smtputf8(
    relay: Any, send_by: Any, queue: Any, deliver: Any, session: Session
) -> None:
    here = relay()
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(["ünïcode@exämple.net", "a@exämple.net"])
    deliver()
    assert sorted(taken.recipient for taken in here.taken) == [
        b"a@xn--exmple-cua.net",
        "ünïcode@xn--exmple-cua.net".encode(),
    ]
    assert any(b"SMTPUTF8" in said for said in here.said)
    assert {state for state, _ in states(session)} == {"sent"}


def test_an_address_that_the_relay_does_not_support_fails(
    relay: Any, send_by: Any, queue: Any, deliver: Any, session: Session
) -> None:
    here = relay(extensions=("PIPELINING",))
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(["ünïcode@example.net", "a@example.net", "b c@example.net"])
    deliver()
    assert [taken.recipient for taken in here.taken] == [b"a@example.net"]
    assert sorted(states(session)) == [("failed", 1), ("failed", 1), ("sent", 1)]


def test_dots_at_the_start_of_lines_arrive(
    relay: Any, send_by: Any, queue: Any, deliver: Any
) -> None:
    here = relay()
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(["a@example.net"], text="Hi\n.\n..x")
    deliver()
    assert here.taken[0].content.endswith(b"\r\n\r\nHi\r\n=2E\r\n=2E.x\r\n")


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "dot"])
@pytest.mark.parametrize("fault", [CLOSE, STALL, b"garbage", b"421 4.3.2 Full", b"450 4.3.2 Later"])
def test_a_relay_that_accepts_nothing_costs_no_attempt(
    *,
    stage: str,
    fault: bytes,
    relay: Any,
    send_by: Any,
    queue: Any,
    deliver: Any,
    session: Session,
) -> None:
    """Without a reply to the recipient or the content, these may be the cause."""
    here = relay(
        answer=lambda asked, _: fault if asked == stage else None,
        extensions=("PIPELINING", "AUTH PLAIN"),
    )
    send_by(f"smtp://me:secret@127.0.0.1:{here.port}")
    queue(["a@example.net"])
    deliver()
    silent = stage in ("RCPT", "DATA", "dot") and not fault.startswith(b"4")
    assert states(session) == [("queued", int(silent))]


def test_a_relay_that_is_down_is_tried_later(
    send_by: Any, queue: Any, deliver: Any, session: Session
) -> None:
    send_by("smtp://127.0.0.1:9")
    queue(["a@example.net"])
    deliver()
    assert states(session) == [("queued", 0)]
    state = session.scalars(select(RelayState)).one()
    assert "can't be reached" in str(state.trouble)
    assert state.retry_at is not None


def test_a_busy_relay_gets_fewer_connections(
    relay: Any, send_by: Any, queue: Any, deliver: Any, session: Session
) -> None:
    opened = []

    def answer(stage: str, _: bytes) -> bytes | None:
        if stage == "greeting":
            opened.append(1)
            return b"421 4.7.0 Too many" if len(opened) == 2 else None
        return None

    here = relay(answer=answer, latency=0.01)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(f"a{n}@example.net" for n in range(60))
    deliver()
    assert len(here.taken) == 60
    assert {state for state, _ in states(session)} == {"sent"}


def test_a_relay_that_breaks_pipelining_gets_one_command_at_a_time(
    relay: Any, send_by: Any, queue: Any, deliver: Any, session: Session, instance: Instance
) -> None:
    here = relay(forgetful=True)
    send_by(f"smtp://127.0.0.1:{here.port}")
    instance.settings._values["masthead.email.connections"] = 1
    queue(f"a{n}@example.net" for n in range(8))
    deliver()
    assert sorted(states(session)) == [("queued", 1)] + [("sent", 1)] * 7
    assert len(here.taken) == 7


def test_a_relay_that_closes_connections_after_some_messages_gets_all(
    relay: Any, send_by: Any, queue: Any, deliver: Any
) -> None:
    counts: dict[str, int] = {"MAIL": 0}

    def answer(stage: str, _: bytes) -> bytes | None:
        if stage == "MAIL":
            counts["MAIL"] += 1
            if counts["MAIL"] % 8 == 0:
                return b"421 4.7.0 Enough"
        return None

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(f"a{n}@example.net" for n in range(60))
    deliver()
    assert sorted({taken.recipient for taken in here.taken}) == sorted(
        f"a{n}@example.net".encode() for n in range(60)
    )
    assert len(here.taken) == 60


@pytest.mark.parametrize(
    "address",
    [
        "smtp://",
        "smtp:///path",
        "smtp://host/path",
        "http://host",
        "smtp://host?tls=maybe",
        "smtps://host?tls=starttls",
        "smtp://user@host",
        "smtp://host:99999",
        "smtp://host?x=1",
    ],
)
def test_an_invalid_relay_url_is_rejected_without_quoting_it(address: str) -> None:
    with pytest.raises(ValueError, match=r"^(?!.*//host).*$"):
        read_relay(address)


@pytest.mark.parametrize("octets", [b"hello\r\n", b"25 x\r\n", b"\xff\xff\xff x\n", b"x" * 100_000])
def test_an_invalid_reply_is_a_protocol_error(octets: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(ReplyParser().feed(octets))


def test_replies_are_parsed_wherever_the_input_is_split() -> None:
    whole = b"250-one\r\n250 two\r\n354 go\r\n550 5.1.1 no\n"
    for cut in range(len(whole)):
        replies = ReplyParser()
        found = [*replies.feed(whole[:cut]), *replies.feed(whole[cut:])]
        assert [reply.code for reply in found] == [250, 354, 550]
        assert found[2].failure is Failure.RECIPIENT_GONE
