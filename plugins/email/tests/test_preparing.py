"""Rendering before the transaction that sends, and the limits of inlining styles."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.testing import Client, Clock
from masthead_email.composed.models import ComposedEmail
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import Message

Mails = Callable[[], list[EmailMessage]]
MakeNewsletter = Callable[..., Any]
Send = Callable[[], object]
WAYS = [
    "newsletter now",
    "newsletter then",
    "newsletter as a test",
    "composed e-mail now",
    "composed e-mail then",
]
TABLES = "<table><tr><td>a</td><td>b</td></tr></table>" * 8_000


@pytest.fixture
def sending(
    clock: Clock, staff: Client, make_newsletter: MakeNewsletter, deliver: Callable[[], None]
) -> Callable[[str, str], Send]:
    """Return a function that creates an item and returns a function that sends it."""
    then = {"scheduled_send_at": (clock.now() + timedelta(hours=1)).isoformat()}
    composed = "/api/staff/compose-emails"

    def write(way: str, html: str) -> Send:
        if way.startswith("newsletter"):
            path = f"/api/staff/newsletters/{make_newsletter(html_content=html)['id']}"
            if "then" in way:
                staff.post_json(f"{path}/schedule", then)
        else:
            body = {"subject": "Hi", "html_content": html, "recipient_emails": ["a@example.org"]}
            made = staff.post_json(composed, body | (then if "then" in way else {}))
            path = f"{composed}/{made.json['id']}"
        deliver()
        if "then" in way:
            clock.shift(hours=2)
            return deliver
        if "test" in way:
            return lambda: staff.post_json(f"{path}/test", {"email": "a@example.org"})
        return lambda: staff.post_json(f"{path}/send", {}, expect_errors=True).json

    return write


@pytest.fixture
def held(instance: Instance) -> Iterator[list[float]]:
    """The duration in seconds of each read-write transaction."""
    began: dict[Connection, float] = {}
    seconds: list[float] = []
    engine = instance.database.engine

    def begin(connection: Connection) -> None:
        began[connection] = time.monotonic()

    def end(connection: Connection) -> None:
        seconds.append(time.monotonic() - began.pop(connection, time.monotonic()))

    for name, listener in (("begin", begin), ("commit", end), ("rollback", end)):
        event.listen(engine, name, listener)
    yield seconds
    for name, listener in (("begin", begin), ("commit", end), ("rollback", end)):
        event.remove(engine, name, listener)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_rendering_holds_no_transaction(
    way: str, sending: Callable[[str, str], Send], held: list[float], session: Session
) -> None:
    send = sending(way, TABLES)
    held.clear()
    began = time.monotonic()

    send()

    assert session.scalars(select(Message.id)).all()
    assert max(held) < (time.monotonic() - began) / 2


@pytest.fixture
def edit_before_writing(instance: Instance) -> Iterator[Callable[[int], None]]:
    """Return a function that changes all items before each of the next read-write transactions."""
    left: list[str] = []
    editing: list[bool] = []

    def edit(_connection: Connection) -> None:
        if left and not editing:
            html = left.pop()
            editing.append(True)
            with instance.database.engine.connect() as other:
                for model in (Newsletter, ComposedEmail):
                    other.execute(update(model).values(html_content=html))
                other.commit()
            editing.clear()

    event.listen(instance.database.engine, "engine_connect", edit)
    yield lambda times: left.extend(f"<p>Edit {number}</p>" for number in range(times))
    event.remove(instance.database.engine, "engine_connect", edit)


@pytest.mark.parametrize("way", [way for way in WAYS if "now" in way])
def test_content_that_changes_during_rendering_is_not_sent(
    way: str,
    sending: Callable[[str, str], Send],
    edit_before_writing: Callable[[int], None],
    session: Session,
) -> None:
    send = sending(way, "<p>As approved</p>")
    edit_before_writing(1)

    refused = send()

    assert refused == {"error": "It was changed meanwhile: check it, and send it again"}
    assert session.scalars(select(Message.id)).all() == []
    session.rollback()
    send()
    assert "Edit 0" in str(session.scalars(select(Message.html)).one())


@pytest.mark.parametrize("way", [way for way in WAYS if "then" in way])
def test_scheduled_content_that_changes_during_rendering_is_sent_as_changed(
    way: str,
    sending: Callable[[str, str], Send],
    edit_before_writing: Callable[[int], None],
    session: Session,
) -> None:
    send = sending(way, "<p>As scheduled</p>")
    edit_before_writing(9)

    send()

    model = Newsletter if "newsletter" in way else ComposedEmail
    stands = session.scalars(select(model.html_content)).one()
    # The edits are finite, so the last rendering sees the content that was sent.
    assert stands in str(session.scalars(select(Message.html)).one())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "html", "inlined"),
    [
        ("p{color:red}", "<p>x</p>" * 100, True),
        ("p{color:red}" * 10_000, "<p>x</p>" * 100, False),
        ("p{color:red}", "<p>x</p>" * 10_000, True),
        ("".join(f"p{{--a{number}:1}}" for number in range(300)), "<p>x</p>", False),
    ],
)
def test_styles_are_inlined_within_limits(
    *,
    sheet: str,
    html: str,
    inlined: bool,
    sending: Callable[[str, str], Send],
    deliver: Callable[[], None],
    mails: Mails,
) -> None:
    sending("newsletter as a test", f"<style>{sheet}</style>{html}")()
    deliver()

    [mail] = mails()

    rendered = mail.get_body(["html"]).get_content()
    assert ('<p style="color' in rendered) == inlined
    assert rendered.count("<style") == 1
    assert rendered.count(">x</p>") == html.count(">x</p>")
