"""The contact form: storage, notification of staff, and retention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from masthead import Notice, Plugin, Refused, User, forget_person, hookimpl, person_data
from masthead.testing import Client, Clock, Database
from masthead_site.models import Message
from masthead_site.plugin import plugin as site

MESSAGES = "/api/staff/contact-messages"
SENT = {
    "name": "Eve",
    "email": "Eve@Example.ORG",
    "subject": "A question",
    "message": "When do you open?\nI'd like to know.",
}


class Listener:
    """A plugin that records notifications, and refuses messages about money."""

    def __init__(self) -> None:
        self.told: list[tuple[Notice, list[int]]] = []

    @hookimpl
    def masthead_notified(self, session: Session, notice: Notice, recipients: Select[int]) -> None:
        self.told.append((notice, sorted(session.scalars(recipients))))

    @hookimpl
    def masthead_check_submission(self, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "contact-messages" and "money" in data["message"]:
            raise Refused("message: Not here")


HEARING = Listener()
PLUGIN = Plugin(name="listener", hooks=(HEARING,))


@pytest.fixture
def listener() -> Listener:
    HEARING.told.clear()
    return HEARING


@pytest.fixture
def plugins() -> list[Plugin]:
    return [site, PLUGIN]


def send(app: Client, **values: Any) -> None:
    app.post_json("/api/contact", SENT | values)


def test_a_message_is_stored_trimmed_and_lowercased(app: Client, staff: Client) -> None:
    answer = app.post_json("/api/contact", {name: f"  {text} " for name, text in SENT.items()})

    assert answer.json == {"success": True, "message": "Thank you! Your message has arrived."}
    [message] = staff.get(MESSAGES).json
    assert message == staff.get(f"{MESSAGES}/{message['id']}").json
    assert message == {
        **SENT,
        "id": message["id"],
        "email": "eve@example.org",
        "status": "new",
        "createdAt": message["createdAt"],
        "updatedAt": message["createdAt"],
    }


def test_staff_who_may_read_messages_are_notified_and_can_reply(
    app: Client,
    listener: Listener,
    make_role: Callable[..., Any],
    make_user: Callable[..., User],
) -> None:
    make_role("reader", "messages.read")
    make_role("writer", "messages.write")
    reader, _, admin = (make_user(role=role) for role in ("reader", "writer", "admin"))

    send(app)

    [(notice, told)] = listener.told
    assert told == sorted([reader.id, admin.id])
    assert (notice.type, notice.reply_to) == ("system", "eve@example.org")
    [notification] = app.as_user(reader).get("/api/staff/notifications").json
    assert notification["title"] == "New contact message"
    assert notification["message"] == "Eve (eve@example.org) writes: A question"
    assert notification["contentType"] is None


@pytest.mark.parametrize("name", SENT)
@pytest.mark.parametrize("value", [None, "", " \n ", 7, True, ["Eve"], {"a": 1}, "a\x00b"])
def test_each_field_is_required_and_a_text(
    app: Client, staff: Client, name: str, value: Any
) -> None:
    error = app.post_json("/api/contact", SENT | {name: value}, status=400).json["error"]

    assert error.startswith(f"{name}: ")
    assert staff.get(MESSAGES).json == []


@pytest.mark.parametrize("name", SENT)
def test_a_missing_field_is_named(app: Client, name: str) -> None:
    body = {field: text for field, text in SENT.items() if field != name}

    assert app.post_json("/api/contact", body, status=400).json["error"] == f"{name}: Required"


def test_limits_count_characters_after_trimming(app: Client, staff: Client) -> None:
    longest = "a" * 60 + "@" + ".".join(["b" * 63] * 2) + ".example"
    fits = {"name": "ü" * 200, "subject": "😀" * 200, "message": "é" * 5000, "email": longest}
    for name, text in fits.items():
        send(app, **{name: f" {text} "})
        too_long = text + "x" if name != "email" else "a" * 200 + "@example.org"
        app.post_json("/api/contact", SENT | {name: too_long}, status=400)

    assert len(staff.get(MESSAGES).json) == 4


@pytest.mark.parametrize(
    "email",
    [
        *("eve", "eve@", "@example.org", "eve@@example.org", "eve @example.org", "eve@a..org"),
        *("Eve <eve@example.org>", "eve@example.org, ada@example.org", "eve@a.org\nBcc: a@b.org"),
    ],
)
def test_a_bad_address_is_refused(app: Client, staff: Client, email: str) -> None:
    error = app.post_json("/api/contact", SENT | {"email": email}, status=400).json["error"]

    assert error.startswith("email: ")
    assert staff.get(MESSAGES).json == []


def test_the_honeypot_has_to_stay_empty(app: Client, staff: Client) -> None:
    app.post_json("/api/contact", SENT | {"website": "https://spam.example"}, status=400)
    assert staff.get(MESSAGES).json == []

    send(app, website="")
    assert len(staff.get(MESSAGES).json) == 1


def test_a_plugin_may_refuse_a_message(app: Client, staff: Client, listener: Listener) -> None:
    refused = app.post_json("/api/contact", SENT | {"message": "money"}, status=400)

    assert refused.json == {"error": "message: Not here"}
    assert staff.get(MESSAGES).json == []
    assert listener.told == []


def test_the_newest_come_first_and_a_status_filters_them(clock: Clock, app: Client) -> None:
    staff = app.as_role("editor")
    for name in ("Ada", "Bea", "Cleo"):
        send(app, name=name)
        clock.shift(minutes=1)
    ada = staff.get(MESSAGES).json[-1]

    changed = staff.put_json(f"{MESSAGES}/{ada['id']}", {"status": "archived", "name": "Nobody"})

    later = changed.json["updatedAt"]
    assert later > ada["updatedAt"]
    assert changed.json == ada | {"status": "archived", "updatedAt": later}
    assert [m["name"] for m in staff.get(MESSAGES, {"limit": 2}).json] == ["Cleo", "Bea"]
    assert [m["name"] for m in staff.get(MESSAGES, {"status": "new"}).json] == ["Cleo", "Bea"]
    assert [m["name"] for m in staff.get(MESSAGES, {"status": "archived"}).json] == ["Ada"]
    assert staff.get(MESSAGES, {"status": "read"}).json == []
    staff.get(MESSAGES, {"status": "lost"}, status=400)
    staff.put_json(f"{MESSAGES}/{ada['id']}", {"status": "lost"}, status=400)


def test_staff_delete_messages_but_make_none(app: Client, staff: Client) -> None:
    send(app)
    [message] = staff.get(MESSAGES).json

    staff.post_json(MESSAGES, SENT, status=404)
    assert staff.delete(f"{MESSAGES}/{message['id']}").json == {"success": True}

    assert staff.get(MESSAGES).json == []
    for method in (staff.get, staff.delete):
        method(f"{MESSAGES}/{message['id']}", status=404)


def test_a_message_changes_no_public_answer(app: Client) -> None:
    etag = app.get("/api/about").headers["ETag"]

    send(app)

    app.get("/api/about", headers={"If-None-Match": etag}, status=304)


def test_messages_are_kept_by_default(clock: Clock, app: Client, work: Callable[[], None]) -> None:
    send(app)
    clock.shift(days=5000)

    work()

    assert len(app.as_role("editor").get(MESSAGES).json) == 1


class TestWhereMessagesAreKeptForAWhile:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.site.message_days": "30"}

    def test_older_ones_are_deleted(
        self, clock: Clock, app: Client, work: Callable[[], None]
    ) -> None:
        send(app, name="Old")
        clock.shift(days=20)
        send(app, name="Young")
        clock.shift(days=10, seconds=1)

        work()

        assert [m["name"] for m in app.as_role("editor").get(MESSAGES).json] == ["Young"]

    def test_they_are_deleted_in_batches(
        self, clock: Clock, instance: Any, session: Session, work: Callable[[], None]
    ) -> None:
        with instance.database.transaction() as writing:
            writing.add_all(Message(**SENT) for _ in range(1001))
        clock.shift(days=31)

        work()

        assert session.scalar(select(func.count()).select_from(Message)) == 0


@given(
    body=st.dictionaries(
        st.sampled_from([*SENT, "website", "status", "id"]),
        st.none() | st.booleans() | st.integers() | st.text() | st.emails() | st.lists(st.text()),
    )
)
@settings(max_examples=60)
def test_any_body_is_stored_or_refused(app: Client, body: dict[str, Any]) -> None:
    answer = app.post_json("/api/contact", body, expect_errors=True)

    assert answer.status_int in (200, 400)


def test_hook_person_data_and_forget_person_are_about_the_messages_of_an_address(
    app: Client, staff: Client, database: Database
) -> None:
    for email in ("Eve@Example.ORG", "eve@example.org", "eve@example.org.example"):
        send(app, email=email)
    shown = staff.get(MESSAGES).json

    with database.transaction() as session:
        held = person_data(session, ["eve@example.org"], None).data["contact-messages"]
        forget_person(session, "eve@example.org")
        assert person_data(session, ["eve@example.org"], None).data == {}

    assert [item["email"] for item in held] == ["eve@example.org"] * 2
    assert {item["id"] for item in held} == {message["id"] for message in shown[1:]}
    left = staff.get(MESSAGES).json
    assert [message["email"] for message in left] == ["eve@example.org.example"]
