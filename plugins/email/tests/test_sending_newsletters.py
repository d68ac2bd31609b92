"""Sending newsletters: now, at a scheduled time, or as a test; and their deliveries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from masthead import utcnow
from masthead.testing import Client, Clock, Database
from masthead_email.outbox.models import FAILED, STATES, Delivery

STAFF = "/api/staff/newsletters"
UNAPPROVED = "Newsletter must be approved before sending"
LETTERS = sorted(Path(__file__).with_name("letters").glob("0*.html"))
Mails = Callable[[], list[EmailMessage]]
MakeNewsletter = Callable[..., Any]
Subscribe = Callable[..., None]
Work = Callable[[], None]


def later(clock: Clock, **shift: float) -> str:
    return (clock.now() + timedelta(**shift)).isoformat()


def counts(staff: Client, newsletter: Any) -> dict[str, int]:
    found = staff.get(f"{STAFF}/{newsletter['id']}/deliveries").json
    return {state: found[state] for state in STATES if found[state]}


def delivery_count(staff: Client, newsletter: Any) -> int:
    """Return the number of its deliveries in all states."""
    return sum(counts(staff, newsletter).values())


def notices(client: Client) -> list[str]:
    found = client.get("/api/staff/notifications").json
    return [each["message"] for each in found if each["type"] == "system"]


def test_all_current_subscribers_get_a_newsletter(
    app: Client, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, mails: Mails
) -> None:
    subscribe("ada@example.org", "eve@example.org", "zoe@example.org")
    app.post_json("/api/newsletter/unsubscribe", {"email": "eve@example.org"})
    newsletter = make_newsletter()

    sent = staff.post_json(f"{STAFF}/{newsletter['id']}/send", {}).json

    assert sent == {"success": True, "sentTo": 2, "leftOut": {"suppressed": 0, "paused": 0}}
    assert counts(staff, newsletter) == {"queued": 2}
    assert sorted(mail["To"] for mail in mails()) == ["ada@example.org", "zoe@example.org"]
    assert counts(staff, newsletter) == {"sent": 2}
    [after] = staff.get(STAFF).json
    assert after["status"] == "sent"
    assert after["sent_at"]


def test_a_newsletter_without_subscribers_is_sent_to_nobody(
    staff: Client, make_newsletter: MakeNewsletter
) -> None:
    newsletter = make_newsletter()

    assert staff.post_json(f"{STAFF}/{newsletter['id']}/send", {}).json["sentTo"] == 0
    assert staff.get(f"{STAFF}/{newsletter['id']}").json["status"] == "sent"


@pytest.mark.parametrize("letter", LETTERS, ids=lambda path: path.stem)
def test_a_letter_arrives_filled_in_with_both_parts_and_an_unsubscribe_link(
    app: Client,
    staff: Client,
    make_newsletter: MakeNewsletter,
    mails: Mails,
    letter: Path,
) -> None:
    body = {"email": "ada@example.org", "name": "Ada & Bo"}
    app.post_json("/api/newsletter/subscribe", body)
    html = letter.read_text("utf-8")
    newsletter = make_newsletter(subject="{{ name }}, news!", html_content=html)
    staff.post_json(f"{STAFF}/{newsletter['id']}/send", {})

    [mail] = mails()

    text, filled = (mail.get_body([kind]).get_content() for kind in ("plain", "html"))
    link = mail["List-Unsubscribe"].strip("<>")
    assert mail["Subject"] == "Ada & Bo, news!"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in text
    assert link in filled
    assert "{{" not in filled
    assert "{{" not in text
    assert ("{{name}}" in html) == ("Ada &amp; Bo" in filled)


def test_relative_urls_in_a_mail_point_to_website_and_api(
    staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, mails: Mails
) -> None:
    subscribe("ada@example.org")
    html = (
        '<a href="/about"><img src="/api/images/images/1.png"></a><a href="{{unsubscribe}}">x</a>'
        '<a href="#two">on</a><h2 id="two">Two</h2>'
    )
    newsletter = make_newsletter(html_content=html)
    staff.post_json(f"{STAFF}/{newsletter['id']}/send", {})

    [mail] = mails()

    filled = mail.get_body(["html"]).get_content()
    assert 'href="http://127.0.0.1:6543/about"' in filled
    assert 'src="http://127.0.0.1:6543/api/images/images/1.png"' in filled
    assert filled.count("/api/newsletter/unsubscribe/") == 1
    assert 'href="#two"' in filled
    assert staff.get(f"{STAFF}/{newsletter['id']}").json["html_content"] == html


def test_an_unapproved_newsletter_is_neither_sent_nor_scheduled(
    clock: Clock, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter
) -> None:
    subscribe("ada@example.org")
    path = f"{STAFF}/{make_newsletter(approved=False)['id']}"
    body = {"scheduled_send_at": later(clock, hours=1)}

    assert staff.post_json(f"{path}/send", {}, status=400).json == {"error": UNAPPROVED}
    assert staff.post_json(f"{path}/schedule", body, status=400).json == {"error": UNAPPROVED}
    assert staff.get(path).json["status"] == "draft"


def test_a_sent_newsletter_is_neither_sent_again_nor_changed(
    clock: Clock, staff: Client, make_newsletter: MakeNewsletter
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"
    staff.post_json(f"{path}/send", {})
    before = staff.get(path).json

    staff.post_json(f"{path}/send", {}, status=400)
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": None}, status=400)
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": later(clock, hours=1)}, status=400)
    error = staff.put_json(path, {"notes": "x"}, status=400).json["error"]
    staff.put_json(path, {}, status=400)
    staff.delete(path, status=400)

    assert error == "Sent newsletters cannot be edited"
    assert staff.get(path).json == before


def test_a_scheduled_newsletter_goes_to_the_subscribers_of_that_time(
    clock: Clock,
    staff: Client,
    subscribe: Subscribe,
    make_newsletter: MakeNewsletter,
    work: Work,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"

    answer = staff.post_json(f"{path}/schedule", {"scheduled_send_at": later(clock, hours=1)})
    work()
    assert answer.json == staff.get(path).json
    assert answer.json["status"] == "scheduled"
    subscribe("eve@example.org")
    clock.shift(hours=1, seconds=1)
    work()

    assert staff.get(path).json["status"] == "sent"
    assert delivery_count(staff, newsletter) == 2


def test_scheduling_again_changes_the_time_and_null_makes_a_draft(
    clock: Clock, staff: Client, make_newsletter: MakeNewsletter, work: Work
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"
    schedule = f"{path}/schedule"
    first, second = later(clock, hours=1), later(clock, hours=2)

    staff.post_json(schedule, {"scheduled_send_at": first})
    moved = staff.post_json(schedule, {"scheduled_send_at": second}).json
    clock.shift(hours=1.5)
    work()
    assert staff.get(path).json == moved
    draft = staff.post_json(schedule, {"scheduled_send_at": None}).json
    clock.shift(hours=1)
    work()

    assert (draft["status"], draft["scheduled_send_at"]) == ("draft", None)
    assert staff.get(path).json == draft


@pytest.mark.parametrize(
    "body", [{}, {"scheduled_send_at": "2001-01-01"}, {"scheduled_send_at": 1}]
)
def test_scheduling_requires_a_future_time(
    staff: Client, make_newsletter: MakeNewsletter, body: Any
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"

    assert (
        "scheduled_send_at" in staff.post_json(f"{path}/schedule", body, status=400).json["error"]
    )
    assert staff.get(path).json["status"] == "draft"


def test_a_put_only_stores_the_time_of_a_draft_but_reschedules_or_clears_a_scheduled_one(
    clock: Clock, staff: Client, make_newsletter: MakeNewsletter
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"
    first, second = later(clock, hours=1), later(clock, hours=2)

    noted = staff.put_json(path, {"scheduled_send_at": first}).json
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": first})
    moved = staff.put_json(path, {"scheduled_send_at": second}).json
    staff.put_json(path, {"scheduled_send_at": "2001-01-01"}, status=400)
    cleared = staff.put_json(path, {"scheduled_send_at": None}).json

    assert (noted["status"], noted["scheduled_send_at"] is None) == ("draft", False)
    assert moved["status"] == "scheduled"
    assert moved["scheduled_send_at"] > noted["scheduled_send_at"]
    assert (cleared["status"], cleared["scheduled_send_at"]) == ("draft", None)


def test_a_scheduled_newsletter_can_be_sent_now(
    clock: Clock, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, work: Work
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": later(clock, hours=1)})

    assert staff.post_json(f"{path}/send", {}).json["sentTo"] == 1
    clock.shift(hours=2)
    work()

    assert delivery_count(staff, newsletter) == 1


def test_a_newsletter_that_lost_its_approval_stays_scheduled_and_staff_are_notified_once(
    clock: Clock,
    staff: Client,
    approver: Client,
    subscribe: Subscribe,
    make_newsletter: MakeNewsletter,
    work: Work,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": later(clock, hours=1)})
    staff.put_json(path, {"subject": "Changed"})

    clock.shift(hours=1.5)
    work()
    clock.shift(minutes=5)
    work()
    assert staff.get(path).json["status"] == "scheduled"
    assert counts(staff, newsletter) == {}
    assert notices(staff) == ["May should be sent now, but it isn't approved any more."]

    item = {"contentType": "newsletters", "contentId": newsletter["id"]}
    staff.post_json("/api/staff/approval/request", item)
    approver.post_json("/api/staff/approval/approve", item)
    clock.shift(minutes=5)
    work()
    assert delivery_count(staff, newsletter) == 1


@pytest.mark.parametrize("edited", [False, True])
def test_a_newsletter_that_is_a_day_late_becomes_a_draft_and_staff_are_notified(
    clock: Clock,
    staff: Client,
    subscribe: Subscribe,
    make_newsletter: MakeNewsletter,
    work: Work,
    edited: bool,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": later(clock, hours=1)})
    if edited:
        staff.put_json(path, {"subject": "Changed"})

    clock.shift(hours=25, seconds=1)
    work()

    assert staff.get(path).json["status"] == "draft"
    assert counts(staff, newsletter) == {}
    assert notices(staff) == ["May was not sent in time, so it is a draft again."]


def test_a_newsletter_that_is_less_than_a_day_late_is_sent(
    clock: Clock, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, work: Work
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    body = {"scheduled_send_at": later(clock, hours=1)}
    staff.post_json(f"{STAFF}/{newsletter['id']}/schedule", body)

    clock.shift(hours=24.9)
    work()

    assert delivery_count(staff, newsletter) == 1


def test_a_test_goes_to_one_address_and_leaves_the_newsletter_unchanged(
    staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, mails: Mails
) -> None:
    subscribe("eve@example.org")
    newsletter = make_newsletter(approved=False)
    path = f"{STAFF}/{newsletter['id']}"

    tested = staff.post_json(f"{path}/test", {"email": "Ada@example.org"}).json
    assert tested == {"success": True, "mistakes": []}

    [mail] = mails()
    assert mail["To"] == "ada@example.org"
    assert mail["Subject"] == "News of May"
    assert mail["List-Unsubscribe"] is None
    assert "Unsubscribe" in mail.get_body(["html"]).get_content()
    assert staff.get(path).json == newsletter
    assert counts(staff, newsletter) == {}
    for body in ({}, {"email": "ada"}):
        staff.post_json(f"{path}/test", body, status=400)


def test_a_newsletter_can_be_paused_resumed_and_cancelled(
    clock: Clock, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter, work: Work
) -> None:
    subscribe("ada@example.org", "eve@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"
    for action in ("pause", "resume", "cancel"):
        staff.post_json(f"{path}/{action}", {}, status=400)
    staff.post_json(f"{path}/send", {})

    staff.post_json(f"{path}/pause", {})
    staff.post_json(f"{path}/pause", {}, status=400)
    work()
    assert counts(staff, newsletter) == {"queued": 2}
    staff.post_json(f"{path}/resume", {})
    staff.post_json(f"{path}/resume", {}, status=400)
    assert staff.post_json(f"{path}/cancel", {}).json == {"success": True}
    staff.post_json(f"{path}/resume", {}, status=400)
    clock.shift(minutes=1)
    work()

    assert counts(staff, newsletter) == {"skipped": 2}
    assert staff.get(path).json["status"] == "sent"


def test_failed_deliveries_are_listed_with_address_and_error(
    database: Database, staff: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    staff.post_json(f"{STAFF}/{newsletter['id']}/send", {})
    with database.transaction() as session:
        failed = {"state": FAILED, "last_error": "550 No such user", "done_at": utcnow()}
        session.execute(update(Delivery).values(failed))

    found = staff.get(f"{STAFF}/{newsletter['id']}/deliveries").json

    [failure] = found["failures"]
    assert found["failed"] == 1
    assert (failure["email"], failure["error"]) == ("ada@example.org", "550 No such user")
    assert failure["at"].endswith("Z")


def test_actions_on_an_unknown_newsletter_are_not_found(staff: Client) -> None:
    for action in ("send", "pause", "resume", "cancel"):
        staff.post_json(f"{STAFF}/9/{action}", {}, status=404)
    staff.post_json(f"{STAFF}/9/test", {"email": "a@example.org"}, status=404)
    staff.post_json(f"{STAFF}/9/schedule", {"scheduled_send_at": None}, status=404)
    staff.get(f"{STAFF}/9/deliveries", status=404)


def test_the_audit_log_records_scheduling_and_sending(
    staff: Client, approver: Client, subscribe: Subscribe, make_newsletter: MakeNewsletter
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": "2100-01-01T01:00:00+01:00"})
    staff.post_json(f"{path}/send", {})

    entry, before = approver.get("/api/staff/audit-log", {"contentType": "newsletters"}).json[:2]

    assert entry["action"] == "newsletter.send"
    assert entry["detail"] == {"title": "May", "sentTo": 1}
    assert entry["actor"]["username"] == "some-editor"
    assert before["detail"] == {"title": "May", "at": "2100-01-01T00:00:00.000Z"}
