"""Newsletters that aren't in the archive leave no trace in any public answer, or in a webhook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from masthead import Instance
from masthead.http.permissions import PUBLIC
from masthead.testing import Client, Clock

CANARY = "qzhidden"
STAFF, HOOKS = "/api/staff/newsletters", "/api/staff/webhooks"
LOG = "/api/changes"
LETTER = {"title": CANARY, "subject": CANARY, "html_content": f"<p>{CANARY}</p>"}


@pytest.fixture
def plugins() -> list[str]:
    return ["email", "feeds", "news", "site", "webhooks"]


@pytest.fixture
def staff(clock: Clock, app: Client) -> Client:  # noqa: ARG001 - stops the clock before
    return app.as_role("admin")


@pytest.fixture
def make(staff: Client) -> Callable[..., str]:
    """Return a function that creates an approved newsletter, and returns its address for staff."""

    def create(**values: Any) -> str:
        number = staff.post_json(STAFF, LETTER | values).json["id"]
        item = {"contentType": "newsletters", "contentId": number}
        staff.post_json("/api/staff/approval/request", item)
        staff.post_json("/api/staff/approval/approve", item)
        return f"{STAFF}/{number}"

    return create


def addresses(instance: Instance, cursor: str) -> Iterator[str]:
    """Return every public address with the ids of newsletters, and the log since a cursor."""
    for endpoint in instance.endpoints:
        # It compares the clocks of this machine and of the database.
        is_clock = endpoint.path == "/readyz"
        if (endpoint.permission, endpoint.method) == (PUBLIC, "GET") and not is_clock:
            yield from {re.sub(r"{[^{}]*}", number, endpoint.path) for number in "123456"}
    yield f"{LOG}?since={cursor}"


def ask(app: Client, found: list[str]) -> dict[str, tuple[int, str]]:
    """Return the answer of each address."""
    answers = {address: app.get(address, status="*") for address in found}
    return {address: (answer.status_int, answer.text) for address, answer in answers.items()}


def test_no_public_answer_and_no_webhook_reveals_a_newsletter_outside_of_the_archive(
    app: Client, staff: Client, instance: Instance, make: Callable[..., str]
) -> None:
    hook = {"url": "https://example.org/", "events": ["content.*"]}
    webhook = staff.post_json(HOOKS, hook).json["id"]
    everywhere = sorted(addresses(instance, app.get(LOG).json["cursor"]))
    before = ask(app, everywhere)

    staff.post_json(STAFF, LETTER | {"public": True})
    make(public=True)
    later = {"scheduled_send_at": "2036-01-01T00:00:00.000Z"}
    staff.post_json(f"{make(public=True)}/schedule", later)
    staff.post_json(f"{make(public=False)}/send", {})
    trashed = make(public=True)
    staff.delete(trashed)
    staff.post_json(f"{make(public=True)}/duplicate")

    assert ask(app, everywhere) == before
    assert staff.get(f"{HOOKS}/{webhook}/deliveries").json == []


def test_a_newsletter_of_the_archive_is_shown_in_these_answers(
    app: Client, staff: Client, instance: Instance, make: Callable[..., str]
) -> None:
    everywhere = sorted(addresses(instance, app.get(LOG).json["cursor"]))
    before = ask(app, everywhere)
    path = make(public=True)

    staff.post_json(f"{path}/send", {})
    answers = ask(app, everywhere)

    number = path.rpartition("/")[2]
    own = f"/api/newsletters/{number}"
    shown = {address for address, (_, text) in answers.items() if CANARY in text}
    assert shown == {"/api/newsletters", own, f"{own}/page"}
    differing = {address for address in everywhere if answers[address] != before[address]}
    assert {address.partition("?")[0] for address in differing - shown} == {LOG, "/sitemap.xml"}
    staff.post_json(f"{path}/withdraw", {})
    answers = ask(app, everywhere)
    assert not any(CANARY in text for _, text in answers.values())
    assert {a for a in everywhere if answers[a] != before[a] and not a.startswith(LOG)} == set()
