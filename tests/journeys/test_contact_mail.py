"""The mail about a visitor's submission: its subject and text, and its erasure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlalchemy import select

from masthead import Instance, Plugin, forget_person
from masthead.plugins import installed
from masthead.testing import Client, Database
from masthead_email.outbox.models import Delivery, Message

SENT = {
    "name": "Rosa Moss",
    "email": "rosa@example.org",
    "subject": "Keys for Saturday",
    "message": "Who opens the hall on Saturday?\nI can come at nine.",
}
PROPOSAL = {
    "title": "Keys for all",
    "description": "Who opens the hall?",
    "contactName": "Rosa Moss",
    "contactEmail": "rosa@example.org",
}
Mails = Callable[[], list[EmailMessage]]


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.staff": "desk@example.org"}


@pytest.fixture
def mails(instance: Instance, work: Callable[..., None]) -> Mails:
    """Return a function that runs the worker and returns the mails sent so far."""

    def read() -> list[EmailMessage]:
        work("email.")
        files = sorted((instance.data / "mail").glob("*.eml"))
        return [message_from_bytes(f.read_bytes(), EmailMessage, policy=default) for f in files]

    return read


def text_of(mail: EmailMessage) -> str:
    return str(mail.get_content()).replace("\r\n", "\n").rstrip("\n")


def test_a_mail_has_sender_subject_and_text_of_a_contact_message(app: Client, mails: Mails) -> None:
    app.post_json("/api/contact", SENT)

    [mail] = mails()

    assert mail["Subject"] == "Keys for Saturday (Rosa Moss)"
    assert mail["Reply-To"] == "rosa@example.org"
    assert mail["To"] == "desk@example.org"
    assert text_of(mail) == (
        "Rosa Moss (rosa@example.org) writes: Keys for Saturday\n\n"
        "Who opens the hall on Saturday?\nI can come at nine."
    )


def test_a_mail_has_sender_title_and_text_of_a_proposal(app: Client, mails: Mails) -> None:
    app.post_json("/api/ycs/submit-action", PROPOSAL)

    [mail] = mails()

    assert mail["Subject"] == "Proposal: Keys for all (Rosa Moss)"
    assert mail["Reply-To"] == "rosa@example.org"
    assert "Who opens the hall?" in mail.get_content()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("subject", "x" * 200),
        ("subject", "\u2028Bcc: eve@example.net"),
        ("subject", "=?utf-8?q?a=0D=0ABcc:_x@y?="),
        ("subject", "{{email}} {{#name}}"),
        ("name", "Rosa\u2029Bcc: eve@example.net"),
        ("name", "名" * 200),
        ("message", "x" * 5_000),
        ("message", ".\n.\nFrom x\nBcc: eve@example.net\n{{email}}"),
    ],
)
def test_a_submission_changes_no_header_and_is_shown_as_it_is(
    app: Client, mails: Mails, name: str, value: str
) -> None:
    app.post_json("/api/contact", SENT | {name: value})

    [mail] = mails()

    assert set(mail.keys()) == {
        *("MIME-Version", "Date", "From", "Reply-To", "Auto-Submitted", "To", "Subject"),
        *("Message-ID", "Content-Type", "Content-Transfer-Encoding"),
    }
    assert len(mail["Subject"]) <= 150
    assert not {"\r", "\n", "\u2028", "\u2029"} & set(mail["Subject"])
    if name == "message":
        assert text_of(mail).endswith(value)


class TestInAnotherLanguage:
    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.language": "ja"}

    def test_the_words_of_the_visitor_are_shown_as_they_are(
        self, app: Client, mails: Mails
    ) -> None:
        words = "{{ 7 * 7 }} {% if %} %(x)s 5 % {# #} <b>&amp;"
        app.post_json("/api/contact", SENT | {"subject": words, "message": words})
        app.post_json("/api/ycs/submit-action", PROPOSAL | {"title": words, "description": words})

        contact, proposal = sorted(mails(), key=lambda mail: "提案" in mail["Subject"])

        assert contact["Subject"] == f"{words} (Rosa Moss)"
        sender = "Rosa Moss (rosa@example.org)"
        assert text_of(contact) == f"{sender} からのメッセージ：{words}\n\n{words}"
        assert proposal["Subject"] == f"提案：{words}（Rosa Moss）"
        assert text_of(proposal).startswith(f"{sender} からの提案：{words}")


@pytest.mark.parametrize("sent_before", [True, False])
def test_erasing_the_person_erases_the_mail(
    app: Client, mails: Mails, database: Database, sent_before: bool
) -> None:
    app.post_json("/api/contact", SENT)
    app.post_json("/api/ycs/submit-action", PROPOSAL)
    app.post_json("/api/contact", SENT | {"email": "eve@example.org"})
    if sent_before:
        mails()

    with database.transaction() as session:
        forget_person(session, "rosa@example.org")

    with database.session() as session:
        values = list(session.scalars(select(Delivery.values).order_by(Delivery.id)))
        replies = list(session.scalars(select(Message.reply_to).order_by(Message.id)))
    assert values[:2] == [None, None]
    assert "eve@example.org" in values[2]["message"]
    assert replies == [None, None, "eve@example.org"]
    assert len(mails()) == (3 if sent_before else 1)
