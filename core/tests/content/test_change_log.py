"""The change log: every change once, in the order in which the public sees them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select
from webtest import AppError

from masthead import Instance
from masthead.changes.models import Change
from masthead.testing import Client, Clock, Desk

PATH, STAFF = "/api/changes", "/api/staff/changes"
BULK = "/api/staff/memos/bulk"
CHANGES = int(os.environ.get("MASTHEAD_TEST_CHANGES", "500"))
"""The public changes that ten writers make at once, beside the first publications."""


class Reader:
    """A client that asks for the changes since its last answer."""

    def __init__(self, client: Client, path: str = PATH, **query: Any) -> None:
        self.client, self.path, self.query = client, path, query
        self.cursor = client.get(path, query).json["cursor"]

    def read(self, **query: Any) -> list[Any]:
        """Return all further changes."""
        found = []
        more = True
        while more:
            asked = self.query | query | {"since": self.cursor}
            answer = self.client.get(self.path, asked).json
            found += answer["changes"]
            self.cursor, more = answer["cursor"], answer["more"]
        return found

    def kinds(self, **query: Any) -> list[Any]:
        """Return the kinds and the ids of all further changes."""
        return [(each["change"], each["id"]) for each in self.read(**query)]


@pytest.fixture
def desk(app: Client) -> Desk:
    return Desk(app, "memos").as_role("admin")


def test_the_public_sees_what_happens_to_what_it_sees(app: Client, desk: Desk) -> None:
    reader = Reader(app)
    before = reader.cursor
    hidden, item = desk.create(title="Hidden"), desk.create(title="Water")
    assert reader.read() == []
    # The cursor would count what is hidden.
    assert reader.cursor == before

    item = desk.publish(item["id"])
    [shown] = reader.read()
    assert shown == shown | {
        "change": "published",
        "contentType": "memos",
        "id": item["id"],
        "slug": item["slug"],
        "formerSlug": None,
    }
    desk.edit(item["id"], title="Air")
    assert reader.kinds() == [("changed", item["id"])]
    desk.edit(item["id"], slug="fire")
    [moved] = reader.read()
    assert (moved["change"], moved["slug"], moved["formerSlug"]) == ("moved", "fire", item["slug"])
    desk.edit(hidden["id"], title="Still hidden")
    desk.client.delete(f"/api/staff/memos/{item['id']}")
    [gone] = reader.read()
    assert (gone["change"], gone["slug"]) == ("withdrawn", "fire")
    assert reader.read() == []


def test_staff_see_drafts_of_the_types_that_they_may_read(
    app: Client, desk: Desk, make_role: Any, make_user: Any
) -> None:
    make_role("reader", "memos.read")
    make_role("stranger")
    reader = Reader(app.as_user(make_user("ada", role="reader")), STAFF)
    stranger = app.as_user(make_user("eve", role="stranger"))
    item = desk.create()
    desk.publish(item["id"])
    desk.edit(item["id"], slug="moved")
    desk.client.delete(f"/api/staff/memos/{item['id']}")

    changes = reader.read()

    found = [(each["change"], each["publicChange"]) for each in changes]
    assert any(each["formerSlug"] for each in changes)
    assert found[0] == ("created", None)
    assert found[-1] == ("deleted", "withdrawn")
    assert ("changed", "published") in found
    reader.client.get(STAFF, {"since": f"{'0' * 16}-0"}, status=410)
    app.get(STAFF, status=401)
    assert Reader(stranger, STAFF).read() == []
    stranger.get(STAFF, {"types": "memos"}, status=403)


def test_the_passing_of_time_is_a_change(clock: Clock, app: Client, desk: Desk) -> None:
    reader = Reader(app)
    in_hours = [clock.now() + timedelta(hours=hours) for hours in (2, 1)]
    later, sooner = (desk.create_public(scheduledPublishAt=at.isoformat()) for at in in_hours)
    withdrawn = desk.create_public(scheduledPublishAt=in_hours[0].isoformat())
    desk.client.delete(f"/api/staff/memos/{withdrawn['id']}")
    assert reader.read() == []

    clock.shift(hours=3)

    assert reader.kinds() == [("published", sooner["id"]), ("published", later["id"])]
    assert reader.read() == []
    desk.edit(later["id"], title="Other")
    assert reader.kinds() == [("changed", later["id"])]


def test_a_part_ends_where_the_next_one_begins(app: Client, desk: Desk) -> None:
    reader = Reader(app)
    made = [desk.create_public()["id"] for _ in range(5)]
    first = app.get(PATH, {"since": reader.cursor, "limit": 2}).json

    assert [each["id"] for each in first["changes"]] == made[:2]
    assert first["more"]
    assert reader.kinds(limit=2) == [("published", each) for each in made]
    assert reader.kinds(limit=2, types="memos") == []


def test_deleted_changes_make_a_cursor_too_old(
    clock: Clock, app: Client, desk: Desk, work: Any
) -> None:
    old, recent = Reader(app), Reader(app)
    desk.create_public()
    recent.read()
    clock.shift(days=91)
    work("changes.")

    told = app.get(PATH, {"since": old.cursor}, status=410).json["error"]

    assert "load everything" in told
    assert recent.read() == []
    kept = desk.as_role("admin").create_public()
    assert recent.kinds() == [("published", kept["id"])]
    app.get(PATH, {"since": old.cursor}, status=410)


def test_cursors_of_another_database_are_refused(
    app: Client, desk: Desk, instance: Instance
) -> None:
    reader = Reader(app)
    desk.create_public()
    with instance.database.transaction() as session:
        instance.hooks.masthead_restored(session=session)

    app.get(PATH, {"since": reader.cursor}, status=410)
    app.get(PATH, {"since": f"{'0' * 16}-0"}, status=410)


@pytest.mark.parametrize("since", ["0", "x-1", f"{'0' * 16}-", f"{'0' * 16}--1", "0" * 99])
def test_other_text_is_no_cursor(app: Client, since: str) -> None:
    [field] = app.get(PATH, {"since": since}, status=400).json["fields"]
    assert (field["path"], field["code"]) == ("since", "wrong_form")


def test_an_action_that_fails_is_no_change(app: Client, desk: Desk) -> None:
    reader = Reader(app)
    item = desk.create_public()
    reader.read()

    desk.edit(item["id"], title=[], status=400)
    desk.edit(item["id"], title="Stale", if_match='"0"', status=412)

    assert reader.read() == []


def patiently(ask: Callable[[], Any]) -> None:
    """Repeat a request while the database is busy with those of the others."""
    for _ in range(100):
        try:
            ask()
        except AppError as error:
            if "503" not in str(error):
                raise
        else:
            return
    pytest.fail("the database stays busy")


@pytest.mark.slow
def test_no_change_is_missed_while_others_write(app: Client, instance: Instance) -> None:
    """Ten writers at once; a reader that polls gets each change once, in order of the numbers."""
    reader, items = Reader(app), 5
    desks = [Desk(app, "memos").as_role("admin") for _ in range(10)]
    turns = CHANGES // (len(desks) * items * 2)

    def write(desk: Desk) -> list[int]:
        made = [desk.create_public()["id"] for _ in range(items)]
        for operation in ("unpublish", "publish") * turns:
            body = {"operation": operation, "ids": made}
            patiently(partial(desk.client.post_json, BULK, body))
        return made

    with ThreadPoolExecutor(len(desks)) as pool:
        writing = [pool.submit(write, desk) for desk in desks]
        found: list[Any] = []
        while not all(each.done() for each in writing):
            found += reader.kinds(limit=30)
        made = [item_id for each in writing for item_id in each.result()]
    found += reader.kinds()

    by_item: dict[int, list[str]] = {item_id: [] for item_id in made}
    for change, item_id in found:
        by_item[item_id].append(change)
    expected = ["published", *("withdrawn", "published") * turns]
    assert by_item == dict.fromkeys(made, expected)
    with instance.database.read() as connection:
        for number in (Change.number, Change.public_number):
            numbered = select(number).where(number.is_not(None)).order_by(number)
            numbers = connection.execute(numbered).scalars().all()
            assert numbers == list(range(1, len(numbers) + 1))
