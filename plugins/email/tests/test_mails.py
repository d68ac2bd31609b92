"""Mail of other plugins to single persons, the mail history, and erasing a person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance, Mail, Notice, forget_person, holders, notify, person_data, utcnow
from masthead.testing import Client, Clock
from masthead_email.outbox import messages
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import Delivery, Message
from masthead_email.subscribers.models import Subscriber
from masthead_email.templates.models import Template


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
    }


@pytest.fixture
def template(instance: Instance) -> int:
    with instance.database.transaction() as session:
        made = Template(
            name="Hello",
            subject="Hello {{name}}",
            html_content="<p>Dear {{name}}, see you {{when}}</p>",
            text_content=None,
            html_wrapper="<div>{{content}}</div>",
        )
        session.add(made)
        session.flush()
        return made.id


def test_hook_deliver_mail_sends_mail_of_other_plugins(
    instance: Instance, relayed: Any, deliver: Any, template: int, session: Session
) -> None:
    hooks = instance.hooks
    values = {"name": "Ada", "when": "<soon>"}
    mail = Mail(to="Ada@example.net", kind="follow-up", template_id=template, variables=values)
    with instance.database.transaction() as writing:
        assert hooks.masthead_deliver_mail(session=writing, mail=mail) is True
        plain = Mail(to="b@example.net", kind="follow-up", subject="Hi", text="Just so")
        assert hooks.masthead_deliver_mail(session=writing, mail=plain) is True
    deliver()
    first, second = sorted(relayed.taken, key=lambda taken: taken.recipient)
    assert b"Subject: Hello Ada\r\n" in first.content
    assert b"&lt;soon&gt;" in first.content
    assert second.content.endswith(b"\r\n\r\nJust so\r\n")
    (answer,) = hooks.masthead_mail_history(session=session, address="ada@example.net")
    assert [(r.subject, r.kind, r.status) for r in answer.mails] == [
        ("Hello Ada", "follow-up", "sent")
    ]
    assert answer.mails[0].sent_at is not None


@pytest.mark.parametrize("why", ["unsubscribed", "suppressed", "template"])
def test_hook_deliver_mail_returns_false_if_nothing_may_be_sent(
    why: str, instance: Instance, template: int
) -> None:
    with instance.database.transaction() as session:
        if why == "unsubscribed":
            left = {"status": "unsubscribed", "unsubscribed_at": utcnow()}
            session.add(Subscriber(email="a@example.net", **left))
        if why == "suppressed":
            outbox.suppress(session, "a@example.net", "recipient-gone", "5.1.1")
        template_id = template + (1 if why == "template" else 0)
        mail = Mail(to="a@example.net", kind="follow-up", template_id=template_id)
        assert instance.hooks.masthead_deliver_mail(session=session, mail=mail) is False
        assert session.scalar(select(func.count()).select_from(Message)) == 0


def test_person_data_includes_all_mails_except_notices_and_the_history_is_limited(
    instance: Instance, session: Session
) -> None:
    address = "a@example.net"
    with instance.database.transaction() as writing:
        for kind in ["follow-up"] * 203 + ["notice"] * 210:
            parts: Any = {"source_id": None, "subject": "Hi", "html": None, "text": "Hi"}
            message = messages.create_message(writing, kind=kind, **parts)
            messages.add_recipients(writing, message, [(address, None)])

    (known,) = instance.hooks.masthead_mail_history(session=session, address=address)
    data = person_data(session, [address], None).data

    assert [record.kind for record in known.mails] == ["follow-up"] * 100
    assert [item["kind"] for item in data["mails"]] == ["follow-up"] * 203


@pytest.mark.parametrize("wrapper", [None, '<div><img src="/api/images/1.png">{{content}}</div>'])
def test_urls_of_a_template_point_to_website_and_api(
    wrapper: str | None, instance: Instance, app: Client, relayed: Any, deliver: Any
) -> None:
    html = '<a href="/about">A</a><a href="#b">B</a><p id="b"><img src="/api/images/1.png"></p>'
    body = {"name": "Hello", "subject": "Hi", "html_content": html, "html_wrapper": wrapper}
    made = app.as_role("editor").post_json("/api/staff/email-templates", body).json
    mail = Mail(to="ada@example.net", kind="follow-up", template_id=made["id"])
    with instance.database.transaction() as session:
        assert instance.hooks.masthead_deliver_mail(session=session, mail=mail) is True

    deliver()

    sent = message_from_bytes(relayed.taken[0].content, EmailMessage, policy=default)
    filled = sent.get_body(["html"]).get_content()
    addresses = re.findall(r'(?:href|src)="([^"]*)"', filled)
    here = "http://127.0.0.1:6543"
    images = [f"{here}/api/images/1.png"]
    assert addresses == (images if wrapper else []) + [f"{here}/about", "#b", *images]


class TestPendingConfirmation:
    """Double opt-in is on, and anybody can request the confirmation of any address."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.email.confirm": "true"}

    def test_an_unanswered_confirmation_request_stops_no_mail(
        self, app: Client, instance: Instance, relayed: Any, deliver: Any
    ) -> None:
        address = {"email": "ada@example.net"}
        app.post_json("/api/newsletter/subscribe", address)
        assert queue(instance) is True
        app.post_json("/api/newsletter/unsubscribe", address)
        assert queue(instance) is True

        deliver()

        subjects = sorted(
            re.findall(rb"Subject: (.*)\r", b"".join(t.content for t in relayed.taken))
        )
        assert subjects == [b"Hi", b"Hi", b"Please confirm your subscription"]

    def test_an_unsubscribed_person_gets_nothing_after_another_confirmation_request(
        self, clock: Clock, app: Client, instance: Instance, relayed: Any, deliver: Any
    ) -> None:
        address = {"email": "ada@example.net"}
        app.as_role("editor").post_json("/api/staff/newsletter-subscribers", address)
        app.post_json("/api/newsletter/unsubscribe", address)
        clock.shift(days=1)
        app.post_json("/api/newsletter/subscribe", address)

        assert queue(instance) is False
        deliver()
        assert len(relayed.taken) == 1


def queue(instance: Instance) -> Any:
    """Queue a mail to Ada; return the result of the hook."""
    mail = Mail(to="ada@example.net", kind="follow-up", subject="Hi", text="Just so")
    with instance.database.transaction() as session:
        return instance.hooks.masthead_deliver_mail(session=session, mail=mail)


class TestVisitorsInNotices:
    """Visitors have sent messages, of which staff are notified by mail."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.email.staff": "desk@example.org office@example.org"}

    @pytest.mark.parametrize("address", ["ada%_/@example.net", "äda@bücher.example"])
    def test_hook_forget_person_removes_them_from_notices_to_staff(
        self, address: str, instance: Instance, relayed: Any, deliver: Any, session: Session
    ) -> None:
        send_notice(instance, address)
        send_notice(instance, "x" + address)
        send_notice(instance, address, "Somebody writes")
        deliver()

        with instance.database.transaction() as writing:
            forget_person(writing, address)

        deliveries = session.scalars(select(Delivery).order_by(Delivery.id)).all()
        assert [each.state for each in deliveries] == ["sent"] * 6
        erased = [each.values is None for each in deliveries]
        assert erased == [True, True, False, False, True, True]
        messages = session.scalars(select(Message.reply_to).order_by(Message.id)).all()
        assert messages == [None, "x" + address, None]
        assert len(relayed.taken) == 6

    def test_hook_forget_person_skips_unsent_notices_about_them(
        self, instance: Instance, relayed: Any, deliver: Any, session: Session
    ) -> None:
        send_notice(instance, "ada@example.net")
        send_notice(instance, "eve@example.net")
        with instance.database.transaction() as writing:
            forget_person(writing, "ada@example.net")

        deliver()

        assert [b"eve@example.net" in taken.content for taken in relayed.taken] == [True, True]
        states = session.scalars(select(Delivery.state).order_by(Delivery.id)).all()
        assert states == ["skipped", "skipped", "sent", "sent"]


def send_notice(instance: Instance, address: str, text: str = "") -> None:
    """Notify staff of a message from an address, which its text names unless it is given."""
    message = text or f"A (b) ({address}) writes: Hi"
    notice = Notice("New contact message", message, reply_to=address)
    with instance.database.transaction() as session:
        notify(session, holders("email.read"), notice)
