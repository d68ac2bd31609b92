"""Visitors propose actions: validation, storage, notifications and confidentiality."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance, Notice, Plugin, Refused, hookimpl
from masthead.auth.models import Role, User
from masthead.http.permissions import PUBLIC
from masthead.testing import Client
from masthead_actions.models import Proposal
from masthead_actions.plugin import plugin as actions

SUBMIT = "/api/ycs/submit-action"
STAFF = "/api/staff/action-proposals"
PROPOSAL = {
    "title": "A café for repairs",
    "description": "Once a month, in the library",
    "content": "<p>Bring <strong>what is broken</strong></p>",
    "imageUrls": ["/api/images/ycs-submissions/1-a.jpg", "https://example.org/b.png"],
    "contactName": "Ada",
    "contactEmail": "ada@example.org",
    "contactPhone": "+49 30 1234567",
}
MINIMUM = {k: PROPOSAL[k] for k in ("title", "description", "contactName", "contactEmail")}
HTML_BYTES = 64 * 1024
AT_ONCE = 16
INVALID = [
    ("title", "x" * 201),
    ("description", "x" * 2001),
    ("contactName", "x" * 201),
    ("contactPhone", "x" * 201),
    ("contactPhone", 49),
    ("contactEmail", "ada"),
    ("contactEmail", "ada@"),
    ("contactEmail", "a@b@example.org"),
    ("contactEmail", "ada@example.org\nBcc: x@example.org"),
    ("contactEmail", "x" * 65 + "@example.org"),
    ("content", 1),
    ("content", ["<p>"]),
    ("content", "x" * (HTML_BYTES + 1)),
    ("content", "é" * (HTML_BYTES // 2 + 1)),
    ("content", "<div>" * 201),
    ("content", "a\x01b"),
    ("imageUrls", "/a.png"),
    ("imageUrls", {}),
    ("imageUrls", ["/a.png"] * 21),
    ("imageUrls", ["/a.png", None]),
    ("imageUrls", [""]),
    ("imageUrls", [1]),
    ("imageUrls", [["/a.png"]]),
    ("imageUrls", ["mailto:ada@example.org"]),
    ("imageUrls", ["javascript:alert(1)"]),
    ("imageUrls", ["data:image/png;base64,AAAA"]),
    ("imageUrls", ["//evil.example/a.png"]),
    ("imageUrls", ["file:///etc/passwd"]),
    ("imageUrls", ["a.png"]),
    ("imageUrls", ["https://example.org/" + "x" * 2000]),
]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


def count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Proposal)) or 0


def test_a_proposal_reaches_staff_as_it_was_sent(app: Client, staff: Client) -> None:
    answer = app.post_json(SUBMIT, PROPOSAL).json

    assert answer.keys() == {"success", "message", "id"}
    assert answer["success"] is True
    shown = staff.get(f"{STAFF}/{answer['id']}").json
    assert shown == shown | PROPOSAL
    assert (shown["status"], shown["notes"], shown["actionId"]) == ("new", None, None)


def test_four_fields_are_enough(app: Client, staff: Client) -> None:
    for more in ({}, {"content": None, "imageUrls": None, "contactPhone": None}):
        item = app.post_json(SUBMIT, {**MINIMUM, **more}).json["id"]

        shown = staff.get(f"{STAFF}/{item}").json
        assert shown == shown | MINIMUM
        assert [shown[k] for k in ("content", "imageUrls", "contactPhone")] == [None, [], None]


def test_values_are_trimmed_and_the_address_is_lowercased(app: Client, staff: Client) -> None:
    sent = {**MINIMUM, "title": "  Cafe\u0301 ", "contactEmail": " Ada@Example.ORG "}

    item = app.post_json(SUBMIT, sent).json["id"]

    shown = staff.get(f"{STAFF}/{item}").json
    assert (shown["title"], shown["contactEmail"]) == ("Café", "ada@example.org")


def test_the_error_names_a_required_field_that_is_missing_or_no_text(
    app: Client, session: Session
) -> None:
    for name, value in product(MINIMUM, (None, "", " \n ", 1, True, [], {}, "a\x00b", "a\x1bb")):
        error = app.post_json(SUBMIT, {**PROPOSAL, name: value}, status=400).json["error"]
        assert error.startswith(f"{name}: "), error
    for name in MINIMUM:
        sent = {k: v for k, v in PROPOSAL.items() if k != name}
        assert app.post_json(SUBMIT, sent, status=400).json["error"] == f"{name}: Required"

    assert count(session) == 0


def test_the_error_names_an_invalid_field_and_nothing_is_stored(
    app: Client, session: Session
) -> None:
    for name, value in INVALID:
        error = app.post_json(SUBMIT, {**PROPOSAL, name: value}, status=400).json["error"]
        assert error.startswith(f"{name}: "), (error, value)

    assert count(session) == 0


def test_a_body_that_is_no_object_is_refused(app: Client, session: Session) -> None:
    lone = (
        b'{"title": "\\ud800", "description": "x", "contactName": "x", "contactEmail": "a@b.test"}'
    )
    bom, twice = b"\xef\xbb\xbf{}", b'{"title": "a", "title": "b"}'
    for body in (b"", b"[]", b"null", b"{", b"\xff", bom, twice, b'{"title": NaN}', lone):
        assert app.post(SUBMIT, body, status=400).json["error"]

    assert count(session) == 0


def test_a_proposal_of_the_maximum_size_is_accepted(app: Client, staff: Client) -> None:
    largest = {
        **PROPOSAL,
        "title": "x" * 200,
        "description": "x" * 2000,
        "content": "<p>" + "x" * (HTML_BYTES - 7) + "</p>",
        "imageUrls": [f"/{n}.png" for n in range(20)],
    }

    item = app.post_json(SUBMIT, largest).json["id"]

    shown = staff.get(f"{STAFF}/{item}").json
    assert shown == shown | largest


def test_fields_that_only_staff_may_set_are_ignored(app: Client, staff: Client) -> None:
    claims = {"id": 77, "status": "accepted", "notes": "Good", "actionId": 1, "revision": 9}

    item = app.post_json(SUBMIT, {**MINIMUM, **claims}).json["id"]

    shown = staff.get(f"{STAFF}/{item}").json
    assert (shown["status"], shown["notes"], shown["actionId"]) == ("new", None, None)
    assert (item, shown["acceptedAt"]) != (77, None)


def test_scripts_are_removed_from_the_content(app: Client, staff: Client) -> None:
    sent = (
        "<p onclick='x()'>Text</p><script>alert(1)</script><a href='javascript:x'>a</a>"
        "<iframe src='https://evil.example/'></iframe><form action='/x'><input></form>"
        "<svg onload=alert(1)></svg><p style='position:fixed'>More</p>"
        "<img src='data:text/html,x' onerror=alert(1)>"
    )

    item = app.post_json(SUBMIT, {**MINIMUM, "content": sent}).json["id"]

    stored = staff.get(f"{STAFF}/{item}").json["content"]
    assert "Text" in stored
    assert "More" in stored
    for part in ("script", "onclick", "onerror", "onload", "iframe", "form", "svg", "fixed"):
        assert part not in stored
    assert "data:" not in stored


def test_any_text_is_either_stored_or_refused(app: Client, staff: Client) -> None:
    text = st.text(max_size=40)
    bodies = st.fixed_dictionaries(
        {"title": text, "description": text, "contactName": text},
        optional={"content": text, "contactPhone": text, "imageUrls": st.lists(text, max_size=2)},
    )

    @settings(derandomize=True, max_examples=60, database=None)
    @given(bodies)
    def propose(body: dict[str, Any]) -> None:
        answer = app.post_json(SUBMIT, {**body, "contactEmail": "ada@example.org"}, status="*")
        assert answer.status_int in (200, 400)
        if answer.status_int == 200:
            # Submitting the stored values again changes nothing.
            shown = staff.get(f"{STAFF}/{answer.json['id']}").json
            again = app.post_json(SUBMIT, {k: shown[k] for k in PROPOSAL}).json["id"]
            assert {k: staff.get(f"{STAFF}/{again}").json[k] for k in PROPOSAL} == {
                k: shown[k] for k in PROPOSAL
            }

    propose()


def test_each_user_who_can_read_proposals_is_notified_once(
    app: Client, make_role: Callable[..., Role], make_user: Callable[..., User]
) -> None:
    make_role("reader", "proposals.read")
    make_role("writer", "proposals.write", "actions.read")
    readers = [make_user(role="reader", roles=("admin", "editor")), make_user(role="reader")]
    others = [make_user(role="writer"), make_user(role=None), make_user("gone", disabled=True)]

    app.post_json(SUBMIT, PROPOSAL)

    for user in readers:
        [notice] = app.as_user(user).get("/api/staff/notifications").json
        assert (notice["type"], notice["title"]) == ("system", "New action proposal")
        assert notice["message"] == "Ada (ada@example.org) proposes: A café for repairs"
        assert (notice["contentType"], notice["contentId"]) == (None, None)
    for user in others[:2]:
        assert app.as_user(user).get("/api/staff/notifications").json == []


class Listener:
    """A plugin that records notifications."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    @hookimpl
    def masthead_notified(self, notice: Notice) -> None:
        self.notices.append(notice)


RECORDER = Listener()
LISTENER = Plugin(name="listener", hooks=(RECORDER,))


class TestReplyTo:
    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        RECORDER.notices.clear()
        return [actions, LISTENER]

    def test_a_reply_to_the_notification_goes_to_the_visitor(self, app: Client) -> None:
        app.post_json(SUBMIT, {**PROPOSAL, "contactEmail": "Ada@example.org"})

        assert [notice.reply_to for notice in RECORDER.notices] == ["ada@example.org"]


def test_sixteen_visitors_at_once_are_all_served(app: Client, staff: Client) -> None:
    barrier = Barrier(AT_ONCE)

    def propose(number: int) -> int:
        barrier.wait()
        answers = [
            app.post_json(SUBMIT, {**PROPOSAL, "title": f"{number}.{turn}"}) for turn in range(4)
        ]
        return len({answer.json["id"] for answer in answers})

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert list(pool.map(propose, range(AT_ONCE))) == [4] * AT_ONCE

    shown = staff.get(STAFF).json
    assert {item["title"] for item in shown} == {
        f"{number}.{turn}" for number in range(AT_ONCE) for turn in range(4)
    }
    assert len(shown) == AT_ONCE * 4


def test_no_public_answer_reveals_anything_of_a_proposal(
    app: Client, staff: Client, instance: Instance
) -> None:
    hidden = {k: f"qzhidden {k}" for k in ("title", "description", "contactName", "contactPhone")}
    hidden |= {"content": "<p>qzhidden</p>", "contactEmail": "qzhidden@example.org"}
    hidden |= {"imageUrls": ["/qzhidden.png"]}
    addresses = [
        e.path.replace("{id}", str(number)).replace("{slug}", slug)
        for e in instance.endpoints
        if (e.permission, e.method) == (PUBLIC, "GET")
        for number in (1, 2)
        for slug in ("qzhidden-title", "1")
    ]
    addresses.append("/api/actions?search=qzhidde")
    addresses.append("/api/ycs/submit-action")
    before = {address: app.get(address, status="*").body for address in addresses}

    one, other = (app.post_json(SUBMIT, hidden).json["id"] for _ in range(2))
    staff.put_json(f"{STAFF}/{other}", {"status": "reviewed", "notes": "qzhidden note"})
    draft = staff.post_json(f"{STAFF}/{one}/accept").json["id"]

    answers = {address: app.get(address, status="*").body for address in addresses}
    assert "/api/actions" in answers
    assert not [address for address, body in answers.items() if b"qzhidden" in body]
    changed = [a for a in addresses if answers[a] != before[a] and b"error" not in answers[a]]
    assert changed == []

    staff.post_json("/api/staff/approval/request", {"contentType": "actions", "contentId": draft})
    app.as_role("admin").post_json(
        "/api/staff/approval/approve", {"contentType": "actions", "contentId": draft}
    )
    [public] = app.get("/api/actions").json
    # Name and contact details of the visitor never become public.
    text = str(public)
    assert not [k for k in ("contactName", "contactPhone", "@example.org") if k in text]
    assert public["author"] is None


class Gatekeeper:
    """A plugin that refuses some proposals."""

    @hookimpl
    def masthead_check_submission(self, kind: str, data: Any) -> None:
        if kind == "action-proposals" and "casino" in data["title"]:
            raise Refused("Not here")


class TestRefused:
    """Submissions that fill in the honeypot, or that a plugin refuses, are not stored."""

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [actions, Plugin(name="gatekeeper", hooks=(Gatekeeper(),))]

    def test_they_are_refused_and_others_are_accepted(self, app: Client, session: Session) -> None:
        for field in ({"website": "https://example.org"}, {"title": "A casino"}):
            assert app.post_json(SUBMIT, {**PROPOSAL, **field}, status=400).json["error"]
        assert count(session) == 0

        for empty in ({}, {"website": ""}, {"website": None}):
            app.post_json(SUBMIT, {**PROPOSAL, **empty})
        assert count(session) == 3


def test_the_form_of_a_page_repeats_the_field_of_a_list(app: Client) -> None:
    answer = app.post(SUBMIT, list(fields_of({**PROPOSAL, "website": "", "contactPhone": ""})))

    assert answer.content_type == "text/html"
    staff = app.as_role("editor")
    [listed] = staff.get(STAFF).json
    stored = staff.get(f"{STAFF}/{listed['id']}").json
    assert {name: stored[name] for name in PROPOSAL} == {**PROPOSAL, "contactPhone": None}


def fields_of(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        for each in value if isinstance(value, list) else [value]:
            yield name, each
