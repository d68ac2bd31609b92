"""``masthead mail check``, and DKIM: signatures and ``masthead mail dkim``."""

from __future__ import annotations

import importlib.util
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dkim
import pytest
from click.testing import CliRunner, Result

from masthead import Instance, StartError
from masthead.cli import main
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox import messages
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.outbox.restore_guard import pause_sending
from masthead_email.rendering.signers import configured_signer
from masthead_email.settings import DKIM_DOMAIN, DKIM_KEY, DKIM_SELECTOR

_spec = importlib.util.spec_from_file_location(
    "nameserver", Path(__file__).with_name("nameserver.py")
)
assert _spec is not None
assert _spec.loader is not None
nameservers = sys.modules.setdefault("nameserver", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(nameservers)

SPF = "v=spf1 include:relay.example.net -all"
DMARC = "v=DMARC1; p=none"
GOOD = {"example.org": [SPF, "other=1"], "_dmarc.example.org": [DMARC]}


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.timeout": "2", "masthead.email.from": "Our Club <news@example.org>"}


@pytest.fixture
def dns() -> Iterator[Callable[..., str]]:
    """Return a function that starts a DNS server and returns its address."""
    with ExitStack() as running:
        yield lambda records, **options: running.enter_context(
            nameservers.nameserver(records, **options)
        )


@pytest.fixture
def ran(instance: Instance, database_url: str, settings: Mapping[str, str]) -> Any:
    """Return a function that runs ``masthead mail`` on the test's instance."""

    def run(*arguments: str, **more: str) -> Result:
        named = {f"masthead.email.{name}": value for name, value in more.items()}
        named = {**settings, **named, "masthead.database.url": database_url}
        environ = {name.upper().replace(".", "_"): value for name, value in named.items()}
        environ |= {"MASTHEAD_DATA": str(instance.data), "MASTHEAD_PLUGINS": "email"}
        return CliRunner().invoke(main, ["mail", *arguments], env=environ)

    return run


def test_check_asks_the_relay_without_sending(ran: Any, relay: Any, dns: Any) -> None:
    here = relay(extensions=("PIPELINING", "SIZE 10485760"))
    done = ran("check", transport=f"smtp://127.0.0.1:{here.port}", nameserver=dns(GOOD))
    assert done.exit_code == 0, done.output
    for line in (
        "ok    MAIL FROM:<news@example.org>: 250 2.1.0 Ok",
        "ok    RCPT TO:<news@example.org>: 250 2.1.5 Ok",
        "the relay accepts messages of 10,485,760 bytes",
        "extensions of the relay: PIPELINING, SIZE",
        "outbox: nothing is paused",
    ):
        assert line in done.output
    assert here.taken == []
    assert here.said[-1] == b"RSET"


def test_check_sends_a_test_message(ran: Any, relay: Any, dns: Any) -> None:
    here = relay()
    address = f"smtp://127.0.0.1:{here.port}"
    done = ran("check", "--to", "me@example.net", transport=address, nameserver=dns(GOOD))
    assert done.exit_code == 0, done.output
    assert "a test message to me@example.net was accepted" in done.output
    assert [taken.recipient for taken in here.taken] == [b"me@example.net"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("transport", "smtp://127.0.0.1:9", "can't be reached"),
        ("transport", "smtp://", "an address with a host"),
        ("transport", "pigeon://here", "no transport for pigeon:"),
        ("transport", "file:", "expected a folder"),
        ("from", "masthead@localhost", "can't receive replies"),
    ],
)
def test_check_reports_the_failure(name: str, value: str, said: str, ran: Any, dns: Any) -> None:
    done = ran("check", **{"nameserver": dns(GOOD), name: value})
    assert done.exit_code == 1
    assert said in done.output


@pytest.mark.parametrize("stage", ["MAIL", "RCPT"])
def test_check_says_the_words_of_a_relay_that_refuses(
    stage: str, ran: Any, relay: Any, dns: Any
) -> None:
    here = relay(answer=lambda at, _: b"550 5.1.8 Not you" if at == stage else None)
    done = ran("check", transport=f"smtp://127.0.0.1:{here.port}", nameserver=dns(GOOD))
    assert done.exit_code == 1
    assert f"FAIL  {stage}" in done.output
    assert "550 5.1.8 Not you" in done.output


@pytest.mark.parametrize(
    ("records", "more", "said"),
    [
        (GOOD, {}, f"ok    SPF of example.org: {SPF}"),
        (GOOD, {}, f"ok    DMARC policy _dmarc.example.org: {DMARC}"),
        (GOOD, {"from": "a@news.example.org"}, f"ok    DMARC policy _dmarc.example.org: {DMARC}"),
        ({}, {}, "FAIL  example.org has no SPF record"),
        ({"example.org": ["v=spf1 a", "v=spf1 b"]}, {}, "more than one SPF record"),
        ({"example.org": ["v=spf10"]}, {}, "FAIL  example.org has no SPF record"),
        ({"example.org": []}, {}, "FAIL  example.org has no SPF record"),
        ({}, {}, "FAIL  example.org has no DMARC policy"),
        (GOOD, {"bounces": "b@mail.example.com"}, "FAIL  mail.example.com has no SPF record"),
        (GOOD, {}, "DKIM isn't checked"),
        (GOOD, {"dkim_selector": "k1"}, "FAIL  k1._domainkey.example.org has no DKIM key"),
        (
            {"k1._domainkey.example.org": ["k=rsa; p="]},
            {"dkim_selector": "k1"},
            "FAIL  k1._domainkey.example.org has no DKIM key",
        ),
        (
            {"k1._domainkey.example.org": ["v=DKIM1; p=AAAA"]},
            {"dkim_selector": "k1"},
            "ok    DKIM key k1._domainkey.example.org is published",
        ),
        (
            {"k1._domainkey.example.com": ["v=DKIM1; p=AAAA"]},
            {"dkim_selector": "k1", "dkim_domain": "example.com"},
            "FAIL  the DKIM domain example.com isn't that of the sender, example.org",
        ),
    ],
)
def test_check_reads_the_dns_records_of_the_sender(
    records: Any, more: dict[str, str], said: str, ran: Any, dns: Any
) -> None:
    done = ran("check", transport="log:", nameserver=dns({"example.org": [], **records}), **more)
    assert said in done.output


@pytest.mark.slow
def test_check_says_that_no_dns_server_answers(ran: Any, dns: Any) -> None:
    done = ran("check", transport="log:", nameserver=dns({}, silent=True))
    assert done.exit_code == 0, done.output
    assert "SPF, DKIM and DMARC aren't checked: no DNS answer" in done.output


def test_check_reports_that_sending_is_paused(ran: Any, dns: Any, instance: Instance) -> None:
    with instance.database.transaction() as session:
        pause_sending(session, instance)
    done = ran("check", transport="log:", nameserver=dns(GOOD))
    assert done.exit_code == 1
    assert "FAIL  outbox: all sending is paused" in done.output


@pytest.fixture
def keyed(instance: Instance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file of a key that the settings name."""
    values = {DKIM_DOMAIN: "example.org", DKIM_SELECTOR: "k1", DKIM_KEY: str(tmp_path / "k1.pem")}
    for setting, value in values.items():
        monkeypatch.setitem(instance.settings._values, setting.name, value)
    return tmp_path / "k1.pem"


def publisher(name: str, record: str) -> Callable[..., bytes | None]:
    """Return the look-up of TXT records that the verifier needs."""

    def look_up(asked: Any, **_: Any) -> bytes | None:
        return record.encode() if asked.decode().rstrip(".") == name else None

    return look_up


def queue_letters(instance: Instance) -> None:
    """Queue a newsletter for three recipients, one of them with an internationalised address."""
    with instance.database.transaction() as session:
        message = messages.create_message(
            session,
            kind=NEWSLETTER,
            source_id=1,
            subject="Hi {{name}}",
            html="<p>Hello {{name}}</p>\n.\n" + "<p>ünd so weiter</p>" * 50,
            text=None,
            reply_to="desk@example.org",
        )
        people = [("ada@example.net", "Ada"), ("jörg@example.net", "Jörg"), ("x@exämple.net", "")]
        messages.add_recipients(session, message, people)


@pytest.mark.parametrize("kind", ["rsa", "ed25519"])
def test_all_mail_is_signed_after_it_is_filled_in(
    *,
    kind: str,
    ran: Any,
    keyed: Path,
    relay: Any,
    send_by: Any,
    dns: Any,
    instance: Instance,
) -> None:
    named = {"dkim_domain": "example.org", "dkim_selector": "k1", "dkim_key": str(keyed)}
    made = ran("dkim", "--new", kind, **named)
    assert made.exit_code == 0, made.output
    assert stat.S_IMODE(keyed.stat().st_mode) == 0o600
    assert ran("dkim", **named).output == made.output
    name, _, text = made.output.strip().partition(". TXT ")
    assert name == "k1._domainkey.example.org"
    record = text.strip('"').replace('" "', "")

    here = relay()
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue_letters(instance)
    DeliveryRunner(instance).run(instance, lambda: True)
    assert len(here.taken) == 3

    published = publisher(name, record)
    for taken in here.taken:
        assert dkim.verify(taken.content, dnsfunc=published)
        assert not dkim.verify(
            taken.content.replace(b"\r\nSubject: ", b"\r\nSubject: x"), dnsfunc=published
        )
        assert not dkim.verify(b"Reply-To: evil@example.com\r\n" + taken.content, dnsfunc=published)

    records = {**GOOD, name: [record]}
    address = f"smtp://127.0.0.1:{here.port}"
    server = dns(records)
    done = ran("check", "--to", "me@example.net", transport=address, nameserver=server, **named)
    assert done.exit_code == 0, done.output
    assert dkim.verify(here.taken[-1].content, dnsfunc=published)
    assert f"DKIM key {name} is published" in done.output


def test_check_reports_another_key_in_dns(ran: Any, keyed: Path, dns: Any) -> None:
    named = {"dkim_domain": "example.org", "dkim_selector": "k1", "dkim_key": str(keyed)}
    ran("dkim", "--new", "ed25519", **named)
    server = dns({**GOOD, "k1._domainkey.example.org": ["v=DKIM1; p=AAAA"]})
    done = ran("check", transport="log:", nameserver=server, **named)
    assert done.exit_code == 1
    assert "has another key than the one that signs" in done.output


def test_an_existing_key_is_not_replaced(ran: Any, keyed: Path) -> None:
    keyed.write_text("precious")
    named = {"dkim_domain": "example.org", "dkim_selector": "k1", "dkim_key": str(keyed)}
    assert ran("dkim", "--new", "rsa", **named).exit_code == 1
    assert keyed.read_text() == "precious"


@pytest.mark.parametrize(
    ("content", "changed", "said"),
    [
        (None, {}, "No such file"),
        (b"", {}, "can't be used"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", {}, "can't be used"),
        (b"x" * 100_000, {}, "can't be used"),
        ("ed25519", {DKIM_SELECTOR: ""}, "masthead.email.dkim_selector"),
        ("ed25519", {DKIM_DOMAIN: ""}, "masthead.email.dkim_domain"),
    ],
)
def test_an_unusable_key_stops_the_start(
    *,
    content: Any,
    changed: Any,
    said: str,
    keyed: Path,
    ran: Any,
    instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if isinstance(content, bytes):
        keyed.write_bytes(content)
    elif content is not None:
        named = {"dkim_domain": "example.org", "dkim_selector": "k1", "dkim_key": str(keyed)}
        ran("dkim", "--new", content, **named)
    for setting, value in changed.items():
        monkeypatch.setitem(instance.settings._values, setting.name, value)
    with pytest.raises(StartError, match=said):
        configured_signer(instance)
