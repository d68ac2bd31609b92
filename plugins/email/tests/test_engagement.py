"""Engagement: tracked links of newsletters, the days that they store, and audiences by them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select, text, update

from masthead import Instance
from masthead.testing import Client, Clock
from masthead_email.settings import TRACKING
from masthead_email.subscribers.links import link_key, sign
from masthead_email.subscribers.models import Subscriber

STAFF, SUBSCRIBERS = "/api/staff/newsletters", "/api/staff/newsletter-subscribers"
ADA, BOB = "ada@example.org", "bob@example.org"
TARGETS = ["https://example.net/a?x=1&y=2#z", "http://example.net/b"]
HTML = """<style>a { color: red }</style><p>Hello {{name}}
<a href="https://example.net/a?x=1&amp;y=2#z" title="see href=">A</a> <a href="http://example.net/b">B</a>
<a href="https://example.net/a?x=1&amp;y=2#z">A again</a>
<a href="https://example.net/{{email}}">own</a> <a href="https://example.net/für">für</a>
<a href="mailto:a@example.net">mail</a> <a href="http://127.0.0.1:6543/api/newsletters/1/page">page</a>
<a href="{{preferences}}">preferences</a> <a href="{{unsubscribe}}">leave</a>
<img src="https://example.net/i.png" alt=""></p>"""
_CLICK = re.compile(r'href="http://127\.0\.0\.1:6543(/api/newsletter/click/[^"]+)"')
_VARYING = re.compile(rb"(?m)^(?:Date|Message-ID): .*|=_[0-9a-f]+|[0-9a-f]{24}")
# Requested before the fixtures that log in, so that they use the stopped clock.
pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.tracking": "clicks"}


@dataclass
class Tracking:
    """The setting, and the stored days by address."""

    instance: Instance
    monkeypatch: pytest.MonkeyPatch

    def set(self, value: str) -> None:
        self.monkeypatch.setitem(self.instance.settings._values, TRACKING.name, value)

    def days(self) -> dict[str, datetime | None]:
        with self.instance.database.session(read_only=True) as session:
            rows = session.execute(select(Subscriber.email, Subscriber.engaged_at)).all()
        return {row.email: row.engaged_at for row in rows}

    def forget(self) -> None:
        with self.instance.database.transaction() as session:
            session.execute(update(Subscriber).values(engaged_at=None))


@pytest.fixture
def tracking(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> Tracking:
    return Tracking(instance, monkeypatch)


@pytest.fixture
def send_letter(
    staff: Client, make_newsletter: Any, mails: Callable[[], list[EmailMessage]]
) -> Callable[..., dict[str, Any]]:
    """Return a function that sends a newsletter, and returns its mails by recipient."""

    def send(**fields: Any) -> dict[str, Any]:
        made = make_newsletter(html_content=HTML, **fields)
        before = {mail["Message-ID"] for mail in mails()}
        staff.post_json(f"{STAFF}/{made['id']}/send", {})
        new = [mail for mail in mails() if mail["Message-ID"] not in before]
        return {str(mail["To"]): mail for mail in new}

    return send


def html_of(mail: Any) -> str:
    return str(mail.get_body(("html",)).get_content())


def links_of(mail: Any) -> tuple[str, str]:
    """Return the path of the preference page, and that of the first tracked link."""
    html = html_of(mail)
    [page] = re.findall(r'href="http://127\.0\.0\.1:6543(/api/newsletter/preferences/[^"]+)', html)
    return page, _CLICK.findall(html)[0]


def wait_for(condition: Callable[[], Any]) -> None:
    """Wait for the thread that stores clicks."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_letter_without_tracking_has_the_bytes_of_one_with_it_except_for_its_links(
    send_letter: Any, subscribe: Any, tracking: Tracking, app: Client
) -> None:
    subscribe(ADA)
    tracked = send_letter()[ADA]
    tracking.set("none")
    plain = send_letter()[ADA]

    clicks = _CLICK.findall(html_of(tracked))

    assert "/click/" not in plain.as_string()
    assert len({*clicks}) == 2
    assert len(clicks) == 3
    back = html_of(tracked)
    for click in clicks:
        target = app.get(click).headers["Location"]
        assert target in TARGETS
        back = back.replace(f"http://127.0.0.1:6543{click}", target.replace("&", "&amp;"))
    assert back == html_of(plain)
    assert tracked.get_body(("plain",)).get_content() == plain.get_body(("plain",)).get_content()
    heads = [_VARYING.sub(b"", each.as_bytes().partition(b"\n\n")[0]) for each in (tracked, plain)]
    assert heads[0] == heads[1]


def test_a_click_leads_to_its_target_and_stores_a_day(
    send_letter: Any,
    subscribe: Any,
    app: Client,
    tracking: Tracking,
    clock: Clock,
    instance: Instance,
    staff: Client,
) -> None:
    subscribe(ADA, BOB)
    letters = send_letter()
    tracking.forget()
    [click, *_] = _CLICK.findall(html_of(letters[ADA]))
    before = staff.get(SUBSCRIBERS).json
    noon = clock.now()
    today = datetime(noon.year, noon.month, noon.day, tzinfo=UTC)

    app.head(click)
    for header in ("DNT", "Sec-GPC"):
        app.get(click, headers={header: "1"})
    assert set(tracking.days().values()) == {None}

    answer = app.get(f"{click}?utm_source=x")
    assert (answer.status_int, answer.headers["Location"]) == (302, TARGETS[0])
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    wait_for(lambda: tracking.days()[ADA])
    assert tracking.days() == {ADA: today, BOB: None}
    [after] = [each for each in staff.get(SUBSCRIBERS).json if each["email"] == ADA]
    [earlier] = [each for each in before if each["email"] == ADA]
    assert after["updatedAt"] == earlier["updatedAt"]
    # A second click of the day writes nothing, and a click of the next day does.
    clock.shift(days=1)
    app.get(click)
    wait_for(lambda: tracking.days()[ADA] > today)

    # A link outlives its reader.
    with instance.database.transaction() as session:
        session.execute(text("DELETE FROM email_subscriber"))
        session.execute(text("DELETE FROM email_delivery"))
    assert app.get(click).headers["Location"] == TARGETS[0]


def test_no_link_leads_to_what_its_letter_does_not_have(
    send_letter: Any, subscribe: Any, app: Client, instance: Instance, tracking: Tracking
) -> None:
    path = "/api/newsletter/click/"
    assert "not valid" in app.get(f"{path}1-0-1-x", status=404).html.text
    subscribe(ADA)
    [click, *_] = _CLICK.findall(html_of(send_letter()[ADA]))
    tracking.forget()
    number, index, person, mac = click.removeprefix(path).split("-", 3)
    with instance.database.transaction() as session:
        other = sign(link_key(session), "unsubscribe", int(person))

    for wrong in (
        f"{number}-2-{person}-{mac}",
        f"{number}-999999-{person}-{mac}",
        f"{int(number) + 1}-{index}-{person}-{mac}",
        f"{number}-{index}-{int(person) + 1}-{mac}",
        f"{number}-{index}-{other}",
        f"{number}-{index}-{person}-{mac[:-1]}",
        f"{number}-{index}-{person}-%C3%A9",
        f"{number}-{index}-",
        "https:%2F%2Fexample.com",
        "9" * 30 + f"-0-{person}-{mac}",
    ):
        app.get(path + wrong, status=404)
    assert tracking.days() == {ADA: None}


def test_a_locked_database_delays_no_redirect(
    send_letter: Any, subscribe: Any, app: Client, instance: Instance, tracking: Tracking
) -> None:
    subscribe(ADA)
    [click, *_] = _CLICK.findall(html_of(send_letter()[ADA]))
    tracking.forget()

    with ExitStack() as locked:
        session = locked.enter_context(instance.database.transaction())
        session.execute(update(Subscriber).values(name="Ada"))
        began = time.monotonic()
        assert app.get(click).status_int == 302
        assert time.monotonic() - began < 5
        assert tracking.days() == {ADA: None}
    wait_for(lambda: tracking.days()[ADA])


def test_without_tracking_nothing_is_stored_and_the_worker_deletes_what_was(
    send_letter: Any,
    subscribe: Any,
    app: Client,
    tracking: Tracking,
    work: Any,
    staff: Client,
    make_newsletter: Any,
) -> None:
    subscribe(ADA)
    [click, *_] = _CLICK.findall(html_of(send_letter()[ADA]))
    late = make_newsletter(audience_engaged_since="2000-01-01", title="Late")
    assert tracking.days()[ADA]
    work("email.engagement")
    assert tracking.days()[ADA]

    tracking.set("none")
    subscribe(BOB)
    assert app.get(click).headers["Location"] == TARGETS[0]
    work("email.engagement")

    assert tracking.days() == {ADA: None, BOB: None}
    assert staff.get(f"{STAFF}/{late['id']}/audience").json == {"count": 0}
    error = "audience_idle_since: masthead.email.tracking is none, so nothing is known"
    body = {"audience_idle_since": "2026-01-01"}
    assert staff.put_json(f"{STAFF}/{late['id']}", body, status=400).json["error"] == error
    staff.put_json(f"{STAFF}/{late['id']}", {"title": "Later"})


@pytest.mark.parametrize(
    ("selected", "recipients"),
    [
        ({}, {"old", "both", "new", "never", "no"}),
        ({"audience_engaged_since": "2026-05-10T18:00:00Z"}, {"both", "new"}),
        ({"audience_engaged_since": "2026-05-11"}, {"new"}),
        ({"audience_idle_since": "2026-05-10T18:00:00Z"}, {"old", "never"}),
        (
            {"audience_engaged_since": "2026-05-02", "audience_idle_since": "2026-05-11"},
            {"old", "both"},
        ),
    ],
)
def test_a_newsletter_goes_to_the_engaged_or_to_the_idle(
    instance: Instance,
    staff: Client,
    make_newsletter: Any,
    selected: dict[str, str],
    recipients: set[str],
) -> None:
    days = {"old": 2, "both": 10, "new": 11, "never": 0, "no": 0}
    with instance.database.transaction() as session:
        for name, day in days.items():
            subscriber = Subscriber(
                email=f"{name}@example.org",
                engaged_at=datetime(2026, 5, day, tzinfo=UTC) if day else None,
                tracking_refused=name == "no",
                created_at=datetime(2026, 5, 11 if name == "new" else 1, tzinfo=UTC),
            )
            session.add(subscriber)
    made = make_newsletter(**selected)
    path = f"{STAFF}/{made['id']}"

    assert staff.get(f"{path}/audience").json == {"count": len(recipients)}
    assert staff.post_json(f"{path}/send", {}).json["sentTo"] == len(recipients)
    again = make_newsletter()
    changed = staff.put_json(f"{STAFF}/{again['id']}", {"audience_idle_since": "2026-05-10"}).json
    assert changed["approvalStatus"] == "draft"
    assert changed["audience_idle_since"] == "2026-05-10T00:00:00.000Z"


def test_a_person_gets_the_day_with_their_data_and_it_is_erased(
    app: Client, instance: Instance, staff: Client, subscribe: Any, tracking: Tracking
) -> None:
    subscribe(ADA)
    today = tracking.days()[ADA]
    tracking.forget()
    with instance.database.transaction() as session:
        person_id = session.scalar(select(Subscriber.id))
        token = sign(link_key(session), "confirm", person_id or 0)
    app.post(f"/api/newsletter/confirm/{token}")
    assert tracking.days()[ADA] == today
    assert today is not None
    [person] = staff.get(SUBSCRIBERS).json
    shown = datetime.fromisoformat(person["engagedAt"])
    assert (shown, person["trackingRefused"]) == (today, False)
    with instance.database.session(read_only=True) as session:
        hook = instance.hooks.masthead_person_data
        found = hook(session=session, address=ADA, caller=None)
    assert any(
        item.get("engagedAt") == person["engagedAt"]
        for part in found
        for data in part
        for item in data.items
        if data.kind == "newsletter-subscribers"
    )

    with instance.database.transaction() as session:
        instance.hooks.masthead_forget_person(session=session, address=ADA)
    assert tracking.days() == {}


def test_a_person_can_refuse_tracking(
    app: Client, staff: Client, subscribe: Any, send_letter: Any, tracking: Tracking
) -> None:
    subscribe(ADA)
    page_path, click = links_of(send_letter()[ADA])
    today = tracking.days()[ADA]
    tracking.forget()
    app.post(page_path, {"change": "letters"})
    assert tracking.days()[ADA] == today
    form = app.get(page_path).forms[0]
    form.get("tracking", index=1).checked = True
    page = form.submit()
    assert page.forms[0].get("tracking", index=1).checked
    app.get(click)
    # Other forms keep the refusal, also while the box isn't shown.
    app.post(page_path, {"change": "letters"})
    app.post(page_path, {"change": "unsubscribe"})
    subscribe(ADA)
    tracking.set("none")
    assert app.get(page_path).forms[0].get("tracking", index=1).checked
    tracking.set("clicks")
    [person] = staff.get(SUBSCRIBERS).json
    assert (person["engagedAt"], person["trackingRefused"]) == (None, True)

    form = app.get(page_path).forms[0]
    form.get("tracking", index=1).checked = False
    form.submit()
    assert tracking.days()[ADA] == today
    tracking.forget()
    app.post(page_path, {"change": "unsubscribe"})
    assert tracking.days()[ADA] is None
    app.post(page_path, {"change": "subscribe"})
    assert tracking.days()[ADA] == today
    tracking.set("none")
    assert "read your letters" not in app.get(page_path).text
