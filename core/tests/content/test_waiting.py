"""Approved edits of public content go live at their time; scheduled content can be postponed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from masthead.content import due_edits
from masthead.content.contenttype import ContentType
from masthead.testing import Clock, Database, Desk

BEFORE = "2026-03-04T23:59:59.999Z"
LATER = "2026-03-05T00:00:00.000Z"
LATEST = "2026-03-06T00:00:00.000Z"


@pytest.fixture
def waiting(clock: Clock, toys: Desk) -> Any:
    """Return a public toy with approved edits that go live later."""
    assert clock.now().isoformat() < BEFORE
    item = toys.create_public(title="Live", maker="Ada")
    toys.edit(item["id"], title="Edited", maker="Ben", scheduledPublishAt=LATER)
    return toys.publish(item["id"])


def live_title(toys: Desk) -> Any:
    """Return the title of the only public toy in the list, which equals that in the detail."""
    title = next((each["title"] for each in toys.public_list()), None)
    shown = toys.public_item("live", status=404 if title is None else 200)
    assert shown.get("title") == title
    return title


def test_approved_edits_go_live_at_their_time_and_the_live_copy_stays_until_then(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    shown = {name: waiting[name] for name in ("approvalStatus", "published", "staged", "title")}
    assert shown == {
        "approvalStatus": "approved",
        "published": True,
        "staged": True,
        "title": "Edited",
    }
    assert (waiting["scheduledPublishAt"], live_title(toys)) == (LATER, "Live")

    clock.move_to(BEFORE)
    assert live_title(toys) == "Live"
    clock.shift(milliseconds=1)

    assert live_title(toys) == "Edited"
    assert [each["title"] for each in toys.public_list(search="ben edited")] == []
    assert [each["title"] for each in toys.public_list(search="edited")] == ["Edited"]
    assert toys.public_list(search="live") == []
    after = toys.show(waiting["id"])
    assert (after["staged"], after["approvalStatus"]) == (False, "approved")
    assert after == waiting | {"staged": False, "live": None, "updatedAt": after["updatedAt"]}


def test_an_answer_from_the_cache_ends_at_the_time_of_the_edits(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    path = f"/api/toys/{waiting['slug']}"
    etag = toys.client.get(path).headers["ETag"]
    clock.move_to(BEFORE)
    known = {"If-None-Match": etag}
    assert toys.client.get(path, headers=known).status_int == 304

    clock.move_to(LATER)

    assert toys.client.get(path, headers=known).json["title"] == "Edited"


def test_the_worker_makes_edits_live_without_a_public_request(
    clock: Clock,
    toys: Desk,
    toys_type: ContentType,
    waiting: Any,
    work: Callable[[], None],
    database: Database,
) -> None:
    clock.move_to(BEFORE)
    work()
    assert toys.show(waiting["id"])["staged"] is True
    clock.move_to("2026-03-05T00:01:00Z")
    work()

    assert toys.show(waiting["id"])["staged"] is False
    with database.session(read_only=True) as session:
        item = session.get_one(toys_type.model, waiting["id"])
        assert (item.title, item.staged, item.published) == ("Edited", None, True)
        assert item.changed_at == clock.now()


def test_the_live_copy_remains_while_the_database_refuses_writes(
    clock: Clock,
    toys: Desk,
    waiting: Any,
    work: Callable[[], None],
    database: Database,
) -> None:
    clock.move_to(LATER)

    def refuse(_connection: Any) -> None:
        raise OperationalError("UPDATE", None, Exception("disk full"))

    event.listen(database.engine, "commit", refuse)
    try:
        assert live_title(toys) == "Live"
    finally:
        event.remove(database.engine, "commit", refuse)
    work()
    assert live_title(toys) == "Edited"
    assert toys.show(waiting["id"])["staged"] is False


def test_going_live_is_in_the_audit_log(clock: Clock, toys: Desk, waiting: Any) -> None:
    clock.move_to(LATER)
    assert live_title(toys) == "Edited"

    entries = toys.client.as_role("admin").get("/api/staff/audit-log").json
    [entry] = [each for each in entries if each["action"] == "content.go-live"]
    assert (entry["actor"], entry["contentType"]) == (None, "toys")
    assert (entry["contentId"], entry["detail"]) == (waiting["id"], {"title": "Edited"})


def test_an_editors_further_edit_takes_the_approval_back(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    edited = toys.edit(waiting["id"], maker="Cleo")
    assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)

    clock.move_to(LATER)
    assert live_title(toys) == "Live"
    toys.publish(waiting["id"])
    live = toys.public_item(waiting["slug"])
    assert (live["title"], live["maker"]) == ("Edited", "Cleo")


def test_an_approvers_further_edit_waits_with_the_others(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    edited = toys.as_role("admin").edit(waiting["id"], maker="Cleo")
    assert (edited["approvalStatus"], edited["staged"]) == ("approved", True)
    assert toys.public_item(waiting["slug"])["maker"] == "Ada"

    clock.move_to(LATER)

    live = toys.public_item(waiting["slug"])
    assert (live["title"], live["maker"]) == ("Edited", "Cleo")


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("moment", [None, "2026-03-01T00:00:00.000Z"])
def test_an_approver_makes_waiting_edits_live_at_once(
    toys: Desk, waiting: Any, moment: str | None
) -> None:
    edited = toys.as_role("admin").edit(waiting["id"], scheduledPublishAt=moment)

    assert (edited["approvalStatus"], edited["staged"]) == ("approved", False)
    [entry, *_] = toys.client.as_role("admin").get("/api/staff/audit-log").json
    assert (entry["action"], entry["contentId"]) == ("content.go-live", waiting["id"])
    assert entry["actor"] is not None
    assert live_title(toys) == "Edited"
    assert [each["title"] for each in toys.public_list(search="edited")] == ["Edited"]


@pytest.mark.parametrize("role", ["editor", "admin"])
def test_waiting_edits_can_be_postponed(clock: Clock, toys: Desk, waiting: Any, role: str) -> None:
    edited = toys.as_role(role).edit(waiting["id"], scheduledPublishAt=LATEST)
    by_editor = role == "editor"
    assert edited["approvalStatus"] == ("draft" if by_editor else "approved")

    clock.move_to("2026-03-05T23:59:59.999Z")
    assert live_title(toys) == "Live"
    clock.move_to(LATEST)
    assert live_title(toys) == ("Live" if by_editor else "Edited")
    if by_editor:
        toys.publish(waiting["id"])
        assert live_title(toys) == "Edited"


def test_waiting_edits_can_be_dropped(clock: Clock, toys: Desk, waiting: Any) -> None:
    toys.drop_staged(waiting["id"])
    assert toys.show(waiting["id"])["approvalStatus"] == "approved"

    clock.move_to(LATER)

    assert live_title(toys) == "Live"
    toys.drop_staged(waiting["id"], status=404)


@pytest.mark.parametrize("in_bulk", [False, True])
def test_an_item_that_is_taken_down_stays_down_when_its_edits_are_due(
    clock: Clock, toys: Desk, waiting: Any, in_bulk: bool
) -> None:
    if in_bulk:
        toys.bulk("unpublish", [waiting["id"]])
    else:
        toys.edit(waiting["id"], published=False)
    assert live_title(toys) is None

    clock.move_to(LATER)
    toys.public_item(waiting["slug"], status=404)
    assert toys.show(waiting["id"])["staged"] is False
    toys.edit(waiting["id"], published=True)

    assert live_title(toys) == "Edited"


def test_an_item_that_is_taken_down_and_returns_has_its_live_copy_until_then(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    toys.edit(waiting["id"], published=False)
    toys.edit(waiting["id"], published=True)
    assert live_title(toys) == "Live"

    clock.move_to(LATER)

    assert live_title(toys) == "Edited"


def test_two_approved_edits_follow_each_other(clock: Clock, toys: Desk, waiting: Any) -> None:
    clock.move_to(LATER)
    toys.edit(waiting["id"], title="Edited again", scheduledPublishAt=LATEST)
    toys.publish(waiting["id"])
    assert live_title(toys) == "Edited"

    clock.move_to(LATEST)

    assert live_title(toys) == "Edited again"


def test_due_edits_are_live_before_a_save_is_compared_with_them(
    clock: Clock, toys: Desk, waiting: Any
) -> None:
    clock.move_to(LATER)

    edited = toys.edit(waiting["id"], title="Next")

    assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)
    assert live_title(toys) == "Edited"
    toys.drop_staged(waiting["id"])
    assert toys.show(waiting["id"])["title"] == "Edited"


def test_the_tags_of_waiting_edits_are_linked_at_their_time(
    clock: Clock, toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    wood, stone = make_tag("Wood"), make_tag("Stone")
    item = toys.create_public(title="Live", tagIds=[wood["id"]])
    toys.edit(item["id"], tagIds=[stone["id"]], scheduledPublishAt=LATER)
    toys.publish(item["id"])
    assert len(toys.public_list(tag="wood")) == 1

    clock.move_to(LATER)

    assert toys.public_list(tag="wood") == []
    assert [each["tags"] for each in toys.public_list(tag="stone")] == [[stone]]


@pytest.mark.parametrize("also", [{}, {"title": "Edited"}])
def test_a_save_that_postpones_scheduled_content_holds_it_back_at_once(
    clock: Clock, toys: Desk, also: dict[str, str]
) -> None:
    item = toys.create_public(title="Live", scheduledPublishAt=LATER)

    edited = toys.edit(item["id"], scheduledPublishAt=LATEST, **also)
    assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)

    clock.move_to("2026-03-05T23:59:59.999Z")
    assert live_title(toys) is None
    clock.move_to(LATEST)
    assert live_title(toys) == "Live"


def test_content_with_staged_edits_can_be_postponed(clock: Clock, toys: Desk) -> None:
    item = toys.create_public(title="Live", scheduledPublishAt=LATER)
    toys.edit(item["id"], title="Edited")

    edited = toys.edit(item["id"], scheduledPublishAt=LATEST)
    assert (edited["approvalStatus"], edited["scheduledPublishAt"]) == ("draft", LATEST)

    clock.move_to(LATER)
    assert live_title(toys) is None
    toys.publish(item["id"])
    assert live_title(toys) is None
    clock.move_to(LATEST)
    assert [each["title"] for each in toys.public_list()] == ["Edited"]


@pytest.mark.parametrize("earlier", [None, "2026-03-02T00:00:00.000Z", "2026-02-01T00:00:00.000Z"])
@pytest.mark.parametrize("postponed", [False, True])
def test_no_editor_makes_content_public_earlier_than_approved(
    clock: Clock, toys: Desk, earlier: str | None, postponed: bool
) -> None:
    item = toys.create_public(title="Live", scheduledPublishAt=LATER)
    if postponed:
        toys.edit(item["id"], scheduledPublishAt=LATEST)

    edited = toys.edit(item["id"], scheduledPublishAt=earlier)
    assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)

    clock.move_to(BEFORE)
    assert live_title(toys) is None
    clock.move_to(LATEST)
    assert live_title(toys) == "Live"


@pytest.mark.parametrize("role", ["editor", "admin"])
def test_no_time_makes_waiting_edits_public_earlier_than_approved_for_an_editor(
    clock: Clock, toys: Desk, waiting: Any, role: str
) -> None:
    moment = "2026-03-02T00:00:00.000Z"
    edited = toys.as_role(role).edit(waiting["id"], scheduledPublishAt=moment)

    clock.move_to(moment)

    by_editor = role == "editor"
    assert edited["approvalStatus"] == ("draft" if by_editor else "approved")
    assert live_title(toys) == ("Live" if by_editor else "Edited")


def test_postponed_content_is_dated_by_its_new_time(
    clock: Clock, toys: Desk, toys_type: ContentType, database: Database
) -> None:
    item = toys.create_public(title="Live", scheduledPublishAt=LATER)
    toys.edit(item["id"], scheduledPublishAt=LATEST)
    clock.move_to(LATEST)

    with database.session(read_only=True) as session:
        stored = session.get_one(toys_type.model, item["id"])
        assert stored.first_published_at == clock.now()


def test_due_edits_go_live_in_several_transactions(
    clock: Clock, toys: Desk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On SQLite, other writers wait for the end of each.
    monkeypatch.setattr(due_edits, "AT_ONCE", 2)
    items = [toys.create_public(title=f"Live {number}") for number in range(5)]
    for item in items:
        toys.edit(item["id"], title="Edited", scheduledPublishAt=LATER)
        toys.publish(item["id"])
    clock.move_to(LATER)
    commits = list[None]()

    def count(_connection: Any) -> None:
        commits.append(None)

    event.listen(database.engine, "commit", count)
    try:
        assert [each["title"] for each in toys.public_list()] == ["Edited"] * 5
    finally:
        event.remove(database.engine, "commit", count)

    assert len(commits) == 3


@pytest.mark.usefixtures("clock")
def test_waiting_edits_without_a_time_are_due(
    toys: Desk, toys_type: ContentType, waiting: Any, database: Database
) -> None:
    with database.transaction() as session:
        item = session.get_one(toys_type.model, waiting["id"])
        # An imported item can have them.
        item.staged = item.staged | {"scheduledPublishAt": None}

    assert live_title(toys) == "Edited"
