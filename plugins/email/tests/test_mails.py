"""What other plugins have sent to single persons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance, Mail, person_data
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import Message
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


def test_hook_deliver_mail_sends_what_other_plugins_want(
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
    assert [(r.subject, r.kind, r.status) for r in answer] == [("Hello Ada", "follow-up", "sent")]
    assert answer[0].sent_at is not None


@pytest.mark.parametrize("why", ["unsubscribed", "suppressed", "template"])
def test_hook_deliver_mail_refuses_where_nothing_may_be_sent(
    why: str, instance: Instance, template: int
) -> None:
    with instance.database.transaction() as session:
        if why == "unsubscribed":
            session.add(Subscriber(email="a@example.net", status="unsubscribed"))
        if why == "suppressed":
            outbox.suppress(session, "a@example.net", "5.1.1")
        number = template + (1 if why == "template" else 0)
        mail = Mail(to="a@example.net", kind="follow-up", template_id=number)
        assert instance.hooks.masthead_deliver_mail(session=session, mail=mail) is False
        assert session.scalar(select(func.count()).select_from(Message)) == 0


def test_notices_to_staff_hide_none_of_their_mails_and_no_mail_is_left_untold(
    instance: Instance, session: Session
) -> None:
    address = "a@example.net"
    with instance.database.transaction() as writing:
        for kind in ["follow-up"] * 203 + ["notice"] * 210:
            parts: Any = {"source_id": None, "subject": "Hi", "html": None, "text": "Hi"}
            message = outbox.freeze(writing, kind=kind, **parts)
            outbox.add_recipients(writing, message, [(address, None)])

    (known,) = instance.hooks.masthead_mail_history(session=session, address=address)
    [told] = person_data(session, address)

    assert [record.kind for record in known] == ["follow-up"] * 100
    assert [item["kind"] for item in told.items] == ["follow-up"] * 203
