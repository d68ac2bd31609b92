"""The audience of a newsletter: its subscribers by topic, source and time."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st
from sqlalchemy import JSON, cast, delete, insert, literal, null, select

from masthead import Line, has_any
from masthead.testing import Client, Clock, Database
from masthead_email.newsletters.segments import with_field_values
from masthead_email.subscribers.models import Subscriber

STAFF = "/api/staff/newsletters"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
# Requested before the fixtures that log in, so that they use the stopped clock.
pytestmark = pytest.mark.usefixtures("clock")
PEOPLE = {
    "ada": {"topics": ["choir", "press"], "source": "website", "fields": {"city": "Ghent"}},
    "bob": {"topics": ['ch"o%ir_', "Chö"], "source": "open day"},
    "eve": {
        "topics": ["choirs", "Choir"],
        "source": "website",
        "fields": {"city": "ghent", "member_since": "2019"},
    },
    "gone": {"topics": ["choir"], "source": "website"},
    "mio": {"fields": {"city": 'Łódź "b"', "member_since": "2019"}},
}


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.email.fields": "city member_since"}


@pytest.fixture
def people(clock: Clock, staff: Client) -> str:
    """Create subscribers; return a time before the last one."""
    time = ""
    for name, values in PEOPLE.items():
        if name == "mio":
            clock.shift(hours=1)
            time = clock.now().isoformat()
            clock.shift(hours=1)
        made = staff.post_json(SUBSCRIBERS, {"email": f"{name}@example.org", **values}).json
        if name == "gone":
            staff.put_json(f"{SUBSCRIBERS}/{made['id']}", {"status": "unsubscribed"})
    return time


@pytest.mark.parametrize(
    ("selected", "recipients"),
    [
        ({}, {"ada", "bob", "eve", "mio"}),
        ({"audience_topics": []}, {"ada", "bob", "eve", "mio"}),
        ({"audience_topics": ["choir"]}, {"ada"}),
        ({"audience_topics": ["press", "Chö"]}, {"ada", "bob"}),
        ({"audience_topics": ['ch"o%ir_']}, {"bob"}),
        ({"audience_topics": ["CHOIR", "%"]}, set()),
        ({"audience_sources": ["website"]}, {"ada", "eve"}),
        ({"audience_sources": ["website"], "audience_topics": ["choirs"]}, {"eve"}),
        ({"audience_since": True}, {"mio"}),
        ({"audience_fields": {"city": ["Ghent"]}}, {"ada"}),
        ({"audience_fields": {"city": ["Ghent", "ghent", "%"]}}, {"ada", "eve"}),
        ({"audience_fields": {"city": ['Łódź "b"'], "member_since": ["2019"]}}, {"mio"}),
        ({"audience_fields": {"city": ["Ghent"], "member_since": ["2019"]}}, set()),
        ({"audience_fields": {"city": []}}, {"ada", "bob", "eve", "mio"}),
        ({"audience_fields": {"city": ["Ghent"]}, "audience_topics": ["choirs"]}, set()),
    ],
)
def test_a_newsletter_goes_to_its_audience_only(
    staff: Client,
    people: str,
    make_newsletter: Callable[..., Any],
    mails: Callable[[], list[EmailMessage]],
    selected: dict[str, Any],
    recipients: set[str],
) -> None:
    given = {name: people if value is True else value for name, value in selected.items()}
    path = f"{STAFF}/{make_newsletter(**given)['id']}"

    assert staff.get(f"{path}/audience").json == {"count": len(recipients)}
    sent = staff.post_json(f"{path}/send", {}).json

    assert sent["sentTo"] == len(recipients)
    assert {mail["To"].partition("@")[0] for mail in mails()} == recipients


@pytest.mark.parametrize(
    "change",
    [
        {"audience_topics": ["press"]},
        {"audience_sources": ["website"]},
        {"audience_since": "2026-01-01T00:00:00.000Z"},
        {"audience_fields": {"city": ["Ghent"]}},
    ],
)
def test_a_changed_audience_needs_approval_again(
    staff: Client, make_newsletter: Callable[..., Any], change: dict[str, Any]
) -> None:
    path = f"{STAFF}/{make_newsletter(audience_topics=['choir'])['id']}"

    changed = staff.put_json(path, change).json

    assert changed["approvalStatus"] == "draft"
    assert {**changed, **change} == changed
    staff.get(f"{STAFF}/99/audience", status=404)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"town": ["Ghent"]}, "audience_fields: town is not one of masthead.email.fields"),
        ({"city": "Ghent"}, "audience_fields: city: Must be an array"),
        ({"city": [""]}, "audience_fields: city: Required"),
        (["city"], "audience_fields: Must be an object"),
    ],
)
def test_a_wrong_condition_on_fields_is_refused(staff: Client, fields: Any, error: str) -> None:
    body = {"title": "May", "subject": "News", "html_content": "x", "audience_fields": fields}

    assert staff.post_json(STAFF, body, status=400).json["error"] == error


def stored(text: str) -> str | None:
    try:
        return Line(50).parse(text)
    except ValueError:
        return None


# Also the characters that JSON, LIKE and SQL treat in a special way.
_TEXT = st.text(st.sampled_from([*"aAé\\\"'%_/u0022{}[],:😀"]) | st.characters(), max_size=6)
_TEXTS = st.lists(_TEXT.map(stored).filter(bool), min_size=1, max_size=4)


def test_a_missing_list_neither_has_a_text_nor_lacks_it(database: Database) -> None:
    missing = has_any(cast(null(), JSON), ["Berlin"])

    with database.read() as connection:
        assert connection.scalar(select(missing)) is None
        assert connection.scalar(select(literal(1)).where(~missing)) is None


@hypothesis.given(held=_TEXTS, wanted=_TEXTS)
@hypothesis.settings(
    deadline=None, max_examples=60, suppress_health_check=[*hypothesis.HealthCheck]
)
def test_topics_and_fields_match_exactly(
    database: Database, held: list[str], wanted: list[str]
) -> None:
    row = {"email": "ada@example.org", "topics": held, "fields": {"city": held[0]}}
    by_topic = select(Subscriber.id).where(has_any(Subscriber.topics, wanted))
    by_field = select(Subscriber.id).where(*with_field_values({"city": wanted}))

    with database.transaction() as session:
        session.execute(insert(Subscriber), [row])
        session.execute(insert(Subscriber), [{"email": "eve@example.org"}])
        found = [len(session.scalars(query).all()) for query in (by_topic, by_field)]
        session.execute(delete(Subscriber))

    assert found == [bool({*held} & {*wanted}), held[0] in wanted]
