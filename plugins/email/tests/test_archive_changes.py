"""The archive in the change log: newsletters that appear and vanish, in the order of commits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from masthead.testing import Client, Clock

LOG, STAFF_LOG = "/api/changes", "/api/staff/changes"
STAFF, TRASH = "/api/staff/newsletters", "/api/staff/trash"
Make = Callable[..., Any]


class Reader:
    """A client that asks for the changes since its last answer."""

    def __init__(self, client: Client, path: str = LOG) -> None:
        self._client, self._path = client, path
        self.cursor = client.get(path).json["cursor"]

    def read(self) -> list[Any]:
        """Return all further changes."""
        found: list[Any] = []
        more = True
        while more:
            answer = self._client.get(self._path, {"since": self.cursor, "limit": 2}).json
            self.cursor, more = answer["cursor"], answer["more"]
            found += answer["changes"]
        assert {each["contentType"] for each in found} <= {"newsletters"}
        return found

    def kinds(self) -> list[tuple[str, int]]:
        """Return the kinds and the ids of all further changes."""
        return [(each["change"], each["id"]) for each in self.read()]


@pytest.fixture
def reader(app: Client) -> Reader:
    return Reader(app)


def test_a_public_newsletter_appears_when_it_is_sent_and_vanishes_when_it_is_withdrawn(
    app: Client, staff: Client, make_newsletter: Make, reader: Reader
) -> None:
    number = make_newsletter(public=True)["id"]
    assert reader.read() == []

    staff.post_json(f"{STAFF}/{number}/send", {})
    [appeared] = reader.read()
    assert [each["id"] for each in app.get("/api/newsletters").json] == [number]
    staff.post_json(f"{STAFF}/{number}/withdraw", {})
    staff.post_json(f"{STAFF}/{number}/withdraw", {})
    [vanished] = reader.read()

    facts = {"contentType": "newsletters", "id": number, "slug": None, "formerSlug": None}
    assert appeared == {"change": "published", "at": appeared["at"], **facts}
    assert vanished == {"change": "withdrawn", "at": vanished["at"], **facts}
    assert app.get("/api/newsletters").json == []


def test_a_newsletter_that_the_worker_sends_appears_at_that_moment(
    clock: Clock,
    app: Client,
    staff: Client,
    subscribe: Make,
    make_newsletter: Make,
    work: Make,
) -> None:
    subscribe("ada@example.org")
    numbers = [make_newsletter(public=public)["id"] for public in (True, False, True)]
    reader = Reader(app)
    for number, hours in zip(numbers, (2, 1, 1), strict=True):
        at = (clock.now() + timedelta(hours=hours)).isoformat()
        staff.post_json(f"{STAFF}/{number}/schedule", {"scheduled_send_at": at})
    clock.shift(hours=3)
    # A newsletter is in the archive once it is sent, and not at its time already.
    assert reader.read() == app.get("/api/newsletters").json == []

    work("email.")

    assert reader.kinds() == [("published", numbers[2]), ("published", numbers[0])]
    assert {each["id"] for each in app.get("/api/newsletters").json} == {numbers[0], numbers[2]}
    clock.shift(hours=1)
    work("email.")
    assert reader.read() == []


def test_no_newsletter_that_the_archive_lacks_is_in_the_public_log(
    clock: Clock, app: Client, staff: Client, approver: Client, make_newsletter: Make, work: Make
) -> None:
    reader = Reader(app)
    before = reader.cursor
    drafted, approved, sent, late, deleted = (
        make_newsletter(public=number != 2, approved=number != 0)["id"] for number in range(5)
    )
    staff.put_json(f"{STAFF}/{drafted}", {"subject": "Other"})
    staff.post_json(f"{STAFF}/{drafted}/duplicate")
    staff.put_json(f"{STAFF}/{approved}", {"public": False})
    staff.put_json(f"{STAFF}/{approved}", {"public": True})
    staff.post_json(f"{STAFF}/{approved}/test", {"email": "ada@example.org"})
    staff.post_json(f"{STAFF}/{approved}/previews", {})
    staff.post_json(f"{STAFF}/{sent}/send", {})
    staff.post_json(f"{STAFF}/{sent}/withdraw", {})
    at = (clock.now() + timedelta(hours=1)).isoformat()
    staff.post_json(f"{STAFF}/{late}/schedule", {"scheduled_send_at": at})
    staff.delete(f"{STAFF}/{deleted}")
    [trashed] = staff.get(TRASH).json
    staff.post(f"{TRASH}/{trashed['id']}/restore")
    staff.delete(f"{STAFF}/{deleted}")
    # Its time has passed for too long, so the worker makes it a draft.
    clock.shift(days=30)
    work("email.")

    # The tokens have expired.
    staff, approver = app.as_role("editor"), app.as_role("admin")
    assert staff.get(f"{STAFF}/{late}").json["status"] == "draft"
    assert app.get("/api/newsletters").json == []
    assert reader.read() == []
    # The cursor would count what is hidden.
    assert reader.cursor == before
    assert approver.get(STAFF_LOG, {"types": "newsletters"}).json["changes"] == []


def test_staff_who_may_read_newsletters_see_all_their_changes(
    app: Client, staff: Client, make_newsletter: Make, make_role: Make, make_user: Make
) -> None:
    make_role("stranger", "audit.read")
    stranger = app.as_user(make_user("eve", role="stranger"))
    mine, theirs = Reader(staff, STAFF_LOG), Reader(stranger, STAFF_LOG)
    number = make_newsletter(public=True)["id"]
    staff.post_json(f"{STAFF}/{number}/send", {})
    staff.post_json(f"{STAFF}/{number}/withdraw", {})
    draft = make_newsletter(approved=False)["id"]
    staff.delete(f"{STAFF}/{draft}")

    found = [(each["id"], each["change"], each["publicChange"]) for each in mine.read()]

    assert found[0] == (number, "created", None)
    assert (number, "changed", "published") in found
    assert found[-3:] == [
        (number, "changed", "withdrawn"),
        (draft, "created", None),
        (draft, "deleted", None),
    ]
    assert theirs.read() == []
    stranger.get(STAFF_LOG, {"types": "newsletters"}, status=403)


def test_newsletters_that_are_sent_at_once_are_each_in_the_log_once(
    app: Client, staff: Client, make_newsletter: Make, reader: Reader
) -> None:
    numbers = [make_newsletter(public=True)["id"] for _ in range(6)]

    def send(number: int) -> None:
        staff.post_json(f"{STAFF}/{number}/send", {})
        staff.post_json(f"{STAFF}/{number}/withdraw", {})

    told: list[tuple[str, int]] = []
    with ThreadPoolExecutor(3) as pool:
        running = [pool.submit(send, number) for number in numbers]
        while not all(each.done() for each in running):
            told += reader.kinds()
        for each in running:
            each.result()
    told += reader.kinds()

    assert sorted(told) == sorted(
        (change, number) for number in numbers for change in ("published", "withdrawn")
    )
    for number in numbers:
        assert told.index(("published", number)) < told.index(("withdrawn", number))
    assert app.get("/api/newsletters").json == []
