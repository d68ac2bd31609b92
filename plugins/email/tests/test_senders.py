"""From, Reply-To and links with internationalised addresses and hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from masthead import Instance, Notice, holders, notify
from masthead.testing import Client
from masthead_email.addresses import Mailbox, mailbox

pytestmark = pytest.mark.any_database

Settings = Mapping[str, str]


@pytest.fixture
def sender() -> str:
    return "Our Club <news@example.org>"


@pytest.fixture
def bounces() -> str:
    return ""


@pytest.fixture
def settings(sender: str, bounces: str) -> Settings:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.staff": "desk@example.org",
        "masthead.email.from": sender,
        "masthead.email.bounces": bounces,
    }


def read(taken: Any) -> EmailMessage:
    return message_from_bytes(taken.content, EmailMessage, policy=default)


@pytest.fixture
def send_each_kind(
    app: Client,
    staff: Client,
    subscribe: Callable[..., None],
    make_newsletter: Callable[..., Any],
    make_user: Callable[..., Any],
    work: Callable[..., None],
) -> Callable[[Instance], None]:
    """Return a function that sends a newsletter, a password reset link and a notice."""

    def send(instance: Instance) -> None:
        subscribe("ada@example.net")
        staff.post(f"/api/staff/newsletters/{make_newsletter()['id']}/send")
        make_user("ada", email="ada@example.net")
        app.post_json("/api/auth/forgot-password", {"username": "ada"})
        work("auth.recovery")
        with instance.database.transaction() as session:
            notify(session, holders("email.read"), Notice("A visitor writes", "Hello"))

    return send


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sender", "name", "address"),
    [
        ("Müllers Garten <news@example.org>", "Müllers Garten", "news@example.org"),
        ("Our Club <news@bücher.example>", "Our Club", "news@xn--bcher-kva.example"),
        ("Büro <news@bücher.example>", "Büro", "news@xn--bcher-kva.example"),
        (
            '"Garden, \\"the\\" <Club>" <news@example.org>',
            'Garden, "the" <Club>',
            "news@example.org",
        ),
        ("ニュース <masthead@localhost>", "ニュース", "masthead@localhost"),
    ],
)
def test_all_mail_has_the_configured_sender(
    name: str,
    address: str,
    instance: Instance,
    send_each_kind: Callable[[Instance], None],
    relayed: Any,
    deliver: Callable[[], None],
) -> None:
    send_each_kind(instance)
    deliver()

    senders = [read(taken)["From"].addresses[0] for taken in relayed.taken]
    assert [(s.display_name, s.addr_spec) for s in senders] == [(name, address)] * 3
    assert not any(b"SMTPUTF8" in line for line in relayed.said)


@pytest.mark.parametrize("address", ["jörg@example.org", "用户@bücher.example"])
def test_an_internationalised_address_is_no_reply_to(
    address: str, instance: Instance, relayed: Any, deliver: Any
) -> None:
    said = Notice("Jörg writes", "Hello", reply_to=address)
    with instance.database.transaction() as session:
        notify(session, holders("email.read"), said)

    deliver()

    assert "Reply-To" not in read(relayed.taken[0])
    assert relayed.taken[0].content.isascii()


def test_a_reply_to_with_an_internationalised_domain_is_encoded(
    instance: Instance, relayed: Any, deliver: Any
) -> None:
    said = Notice("Ada writes", "Hello", reply_to="ada@bücher.example")
    with instance.database.transaction() as session:
        notify(session, holders("email.read"), said)

    deliver()

    assert read(relayed.taken[0])["Reply-To"] == "ada@xn--bcher-kva.example"


@pytest.mark.parametrize("sender", ["José <josé@example.org>"])
@pytest.mark.parametrize("bounces", ["", "bounces@example.org"])
def test_an_internationalised_sender_requires_smtputf8(
    instance: Instance, relayed: Any, deliver: Any
) -> None:
    with instance.database.transaction() as session:
        notify(session, holders("email.read"), Notice("A visitor writes", "Hello"))

    deliver()

    assert [line for line in relayed.said if line.startswith(b"MAIL") and b"SMTPUTF8" in line]
    assert "<josé@example.org>".encode() in relayed.taken[0].content


class TestAnInternationalisedHost:
    """The API has a host name that isn't ASCII."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return {**settings, "masthead.base_url": "https://api.bücher.example/ä"}

    def test_links_of_a_newsletter_are_encoded(
        self, staff: Client, subscribe: Any, make_newsletter: Any, relayed: Any, deliver: Any
    ) -> None:
        subscribe("ada@example.net")
        newsletter = make_newsletter(html_content='<img src="/api/images/1.png">')
        staff.post(f"/api/staff/newsletters/{newsletter['id']}/send")

        deliver()

        here = "https://api.xn--bcher-kva.example/%C3%A4/api/"
        mail = read(relayed.taken[0])
        assert mail["List-Unsubscribe"].startswith(f"<{here}newsletter/unsubscribe/")
        assert f'src="{here}images/1.png"' in mail.get_body(["html"]).get_content()


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
@example('a\\" b')
def test_a_sender_survives_writing_and_parsing(name: str) -> None:
    sender = Mailbox("news@bücher.example", name)

    assert mailbox(str(sender)) == sender
