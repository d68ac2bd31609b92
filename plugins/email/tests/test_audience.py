"""The audience of a newsletter: its subscribers by topic, source and time."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from masthead.testing import Client, Clock

STAFF = "/api/staff/newsletters"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
# Requested before the fixtures that log in, so that they use the stopped clock.
pytestmark = pytest.mark.usefixtures("clock")
PEOPLE = {
    "ada": {"topics": ["choir", "press"], "source": "website"},
    "bob": {"topics": ['ch"o%ir_', "Chö"], "source": "open day"},
    "eve": {"topics": ["choirs", "Choir"], "source": "website"},
    "gone": {"topics": ["choir"], "source": "website"},
    "mio": {},
}


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
