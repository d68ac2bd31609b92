"""Composed e-mails: mails to recipients that their author enters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from masthead import forget_person, person_data
from masthead.testing import Client, Clock, Database

STAFF = "/api/staff/compose-emails"
BODY = {
    "subject": "An invitation",
    "html_content": "<p>Come, {{email}}</p>",
    "recipient_emails": ["Ada@example.org", "eve@example.org", "ada@example.org"],
}
Mails = Callable[[], list[EmailMessage]]
Work = Callable[[], None]


def in_hours(clock: Clock, hours: float) -> str:
    return (clock.now() + timedelta(hours=hours)).isoformat()


def test_a_composed_email_is_a_draft_with_each_recipient_once(staff: Client) -> None:
    made = staff.post_json(STAFF, BODY)

    times = {name: made.json[name] for name in ("created_at", "updated_at")}
    assert made.json == times | {
        "id": made.json["id"],
        "title": None,
        "subject": "An invitation",
        "html_content": "<p>Come, {{email}}</p>",
        "text_content": None,
        "mjml_content": None,
        "recipient_emails": ["ada@example.org", "eve@example.org"],
        "status": "draft",
        "scheduled_send_at": None,
        "sent_at": None,
    }
    assert staff.get(STAFF).json == [made.json]
    assert staff.get(f"{STAFF}/{made.json['id']}").json == made.json


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", ""),
        ("subject", None),
        ("html_content", " "),
        ("html_content", 1),
        ("recipient_emails", []),
        ("recipient_emails", None),
        ("recipient_emails", "ada@example.org"),
        ("recipient_emails", ["ada@example.org", "eve"]),
        ("recipient_emails", ["ada@example.org", None]),
        ("recipient_emails", {"0": "ada@example.org"}),
        ("scheduled_send_at", "2001-01-01"),
        ("scheduled_send_at", "soon"),
        ("title", "t" * 201),
    ],
)
def test_an_invalid_field_is_refused(staff: Client, field: str, value: Any) -> None:
    made = staff.post_json(STAFF, BODY).json

    assert field in staff.post_json(STAFF, BODY | {field: value}, status=400).json["error"]
    path = f"{STAFF}/{made['id']}"
    assert field in staff.put_json(path, {field: value}, status=400).json["error"]
    assert staff.get(STAFF).json == [made]


@pytest.mark.parametrize("field", ["subject", "html_content", "recipient_emails"])
def test_a_missing_required_field_is_refused(staff: Client, field: str) -> None:
    body = {name: value for name, value in BODY.items() if name != field}

    assert field in staff.post_json(STAFF, body, status=400).json["error"]


def test_each_recipient_gets_a_message_of_their_own(staff: Client, mails: Mails) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, BODY).json['id']}"

    assert staff.post_json(f"{path}/send", {}).json == {
        "success": True,
        "sentTo": 2,
        "leftOut": {"suppressed": 0, "paused": 0},
    }

    sent = {mail["To"]: mail.get_body(["html"]).get_content() for mail in mails()}
    assert sorted(sent) == ["ada@example.org", "eve@example.org"]
    assert "Come, eve@example.org" in sent["eve@example.org"]
    assert staff.get(path).json["status"] == "sent"
    assert staff.get(path).json["sent_at"]


def test_a_sent_email_is_neither_sent_again_nor_changed(staff: Client) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, BODY).json['id']}"
    staff.post_json(f"{path}/send", {})
    before = staff.get(path).json

    staff.post_json(f"{path}/send", {}, status=400)
    staff.put_json(path, {"subject": "Another"}, status=400)
    staff.put_json(path, {}, status=400)
    staff.delete(path, status=400)

    assert staff.get(path).json == before


def test_an_email_with_a_time_is_scheduled_and_sent_at_that_time(
    clock: Clock, staff: Client, work: Work, mails: Mails
) -> None:
    body = BODY | {"scheduled_send_at": in_hours(clock, 1)}
    made = staff.post_json(STAFF, body).json
    assert made["status"] == "scheduled"

    assert mails() == []
    clock.shift(hours=1, seconds=1)
    work()
    clock.shift(seconds=10)

    assert len(mails()) == 2
    assert staff.get(f"{STAFF}/{made['id']}").json["status"] == "sent"


def test_a_put_of_the_time_schedules_reschedules_or_clears(
    clock: Clock, staff: Client, mails: Mails
) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, BODY).json['id']}"

    scheduled = staff.put_json(path, {"scheduled_send_at": in_hours(clock, 1)}).json
    moved = staff.put_json(path, {"scheduled_send_at": in_hours(clock, 3)}).json
    clock.shift(hours=2)
    assert mails() == []
    cleared = staff.put_json(path, {"scheduled_send_at": None}).json
    clock.shift(hours=2)

    assert mails() == []
    assert scheduled["status"] == moved["status"] == "scheduled"
    assert (cleared["status"], cleared["scheduled_send_at"]) == ("draft", None)


def test_an_email_that_is_a_day_late_becomes_a_draft_and_staff_are_notified(
    clock: Clock, staff: Client, mails: Mails
) -> None:
    made = staff.post_json(STAFF, BODY | {"scheduled_send_at": in_hours(clock, 1)}).json

    clock.shift(hours=25, seconds=1)

    assert mails() == []
    assert staff.get(f"{STAFF}/{made['id']}").json["status"] == "draft"
    [notice] = staff.get("/api/staff/notifications").json
    assert notice["message"] == "An invitation was not sent in time, so it is a draft again."


def test_an_unsent_email_can_be_changed_and_deleted(staff: Client) -> None:
    made = staff.post_json(STAFF, BODY)
    path = f"{STAFF}/{made.json['id']}"

    changed = staff.put_json(path, {"title": "Party"}, headers={"If-Match": made.headers["ETag"]})
    staff.put_json(path, {"title": "x"}, headers={"If-Match": made.headers["ETag"]}, status=412)
    staff.delete(path)

    assert changed.json["title"] == "Party"
    staff.get(path, status=404)
    staff.delete(path, status=404)
    staff.put_json(path, {"title": "x"}, status=404)
    staff.post_json(f"{path}/send", {}, status=404)


def test_the_list_is_newest_first(clock: Clock, staff: Client) -> None:
    for title in ("first", "second"):
        staff.post_json(STAFF, BODY | {"title": title})
        clock.shift(seconds=1)

    assert [each["title"] for each in staff.get(STAFF).json] == ["second", "first"]


def test_hook_forget_person_removes_a_person_from_the_recipients(
    database: Database, staff: Client
) -> None:
    alone = BODY | {"recipient_emails": ["ada@example.org"]}
    sent = staff.post_json(STAFF, alone).json["id"]
    staff.post(f"{STAFF}/{sent}/send")
    staff.post_json(STAFF, alone)
    both = staff.post_json(STAFF, BODY).json["id"]
    others = BODY | {"recipient_emails": ["aada@example.org", "ada@example.org.example"]}
    untouched = staff.post_json(STAFF, others).json

    with database.transaction() as session:
        held = person_data(session, ["ada@example.org"], None).data
        forget_person(session, "ada@example.org")

    assert [mail["recipient_emails"] for mail in held["compose-emails"]] == [
        ["ada@example.org"]
    ] * 3
    assert {mail["id"]: mail["recipient_emails"] for mail in staff.get(STAFF).json} == {
        sent: [],
        both: ["eve@example.org"],
        untouched["id"]: untouched["recipient_emails"],
    }
    assert staff.get(f"{STAFF}/{untouched['id']}").json == untouched


def test_revisions_keep_no_recipients_and_a_restore_leaves_them(
    clock: Clock, staff: Client
) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, BODY | {'title': 'Feast'}).json['id']}"
    clock.shift(hours=1)
    staff.put_json(path, {"title": "Party", "recipient_emails": ["eve@example.org"]})
    clock.shift(hours=1)
    staff.put_json(path, {"recipient_emails": ["zoe@example.org"]})

    newest, oldest = staff.get(f"{path}/revisions").json
    shown = [staff.get(f"{path}/revisions/{n}").json for n in (oldest["number"], newest["number"])]
    differences = staff.get(f"{path}/revisions/compare").json["differences"]
    restored = staff.post_json(f"{path}/revisions/{oldest['number']}/restore", {}).json
    named = {"fields": ["recipient_emails"]}
    staff.post_json(f"{path}/revisions/{oldest['number']}/restore", named, status=400)

    assert [each["values"]["title"] for each in shown] == ["Feast", "Party"]
    assert all("recipient_emails" not in each["values"] and not each["unfit"] for each in shown)
    assert [each["field"] for each in differences] == ["title"]
    assert "recipient_emails" not in restored["restored"]
    after = staff.get(path).json
    assert (after["title"], after["recipient_emails"]) == ("Feast", ["zoe@example.org"])


def test_recipients_that_two_editors_change_collide(staff: Client, approver: Client) -> None:
    made = staff.post_json(STAFF, BODY)
    path, stale = f"{STAFF}/{made.json['id']}", {"If-Match": made.headers["ETag"]}
    approver.put_json(path, {"title": "Party"})
    # These saves are one revision, whose first values are lost.
    approver.put_json(path, {"recipient_emails": ["zoe@example.org"]})
    second = {"If-Match": '"2"'}

    mine = {"recipient_emails": ["cy@example.org"], "merge": True}
    for headers in (stale, second):
        refused = staff.put_json(path, mine, headers=headers, status=412).json["conflict"]
        assert refused["collisions"] == ["recipient_emails"]
        assert refused["current"]["recipient_emails"] == ["zoe@example.org"]
    merged = staff.put_json(path, {"subject": "Come", "merge": True}, headers=stale).json

    assert merged["merged"] == ["recipient_emails", "title"]
    assert (merged["subject"], merged["title"]) == ("Come", "Party")
    assert merged["recipient_emails"] == ["zoe@example.org"]
