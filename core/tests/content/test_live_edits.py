"""Edits of the live copy beside staged edits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.history.verifying import verify
from masthead.instance import Instance
from masthead.testing import Desk
from masthead.testing.clock import Clock

NOW, LATER, LATEST = "2026-03-02T00:00:00.000Z", "2026-03-05T00:00:00.000Z", "2026-03-06T00:00:00Z"


@pytest.fixture
def admin(toys: Desk) -> Desk:
    return toys.as_role("admin")


def test_live_changes_an_item_without_staged_edits_as_usual(toys: Desk, admin: Desk) -> None:
    item = toys.create_public()

    assert admin.edit(item["id"], title="Fixed", live=True)["staged"] is False
    assert toys.public_item(item["slug"])["title"] == "Fixed"
    assert admin.edit(toys.create()["id"], title="A draft", live=True)["published"] is False


def test_it_is_refused_without_the_power_and_with_a_contradiction(toys: Desk, admin: Desk) -> None:
    item = toys.create_public()
    for staged in (False, True):
        refused = toys.edit(item["id"], title="Mine", live=True, status=403)
        assert refused["error"] == "Your edits need an approval, so they can't go live at once"
        if not staged:
            toys.edit(item["id"], minAge=5)

    for other in ("stage", "merge"):
        both = {"live": True, other: True}
        answer = admin.edit(item["id"], title="Both", **both, status=400)
        assert [each["path"] for each in answer["fields"]] == ["live"]
    admin.edit(item["id"], live="yes", status=400)
    answer = admin.edit(item["id"], maxAge=3, live=True, status=400)
    assert answer["error"] == (
        "The staged edit would contradict it: maxAge: Must not be less than minAge"
    )
    assert admin.edit(item["id"], minAge=4, maxAge=3, live=True, status=400)
    assert toys.public_item(item["slug"])["maxAge"] is None


@pytest.mark.parametrize("settings", [{"masthead.approval.four_eyes": "true"}])
def test_four_eyes_refuse_it(toys: Desk, admin: Desk) -> None:
    item = toys.create()["id"]
    toys.request(item)
    admin.approve(item)
    toys.edit(item, title="Theirs")

    admin.edit(item, title="Fixed", live=True, status=403)


@pytest.mark.parametrize(
    "settings", [{"masthead.approval.four_eyes": "true", "masthead.approval.edits": "live"}]
)
def test_it_does_not_let_the_editor_approve_their_own_edit(
    toys: Desk, make_user: Callable[..., Any]
) -> None:
    mine, other = (toys.as_user(make_user(role="admin")) for _ in range(2))
    item = toys.create()["id"]
    toys.request(item)
    mine.approve(item)
    mine.edit(item, title="Mine", stage=True)
    toys.edit(item, description="Fixed", live=True)
    toys.request(item)

    mine.approve(item, status=403)
    other.approve(item)
    assert toys.public_list()[0]["title"] == "Mine"


def test_a_waiting_edit_takes_the_fix_over(
    clock: Clock, toys: Desk, admin: Desk, instance: Instance
) -> None:
    clock.move_to(NOW)
    item = toys.create_public(title="Live", description="Wrong")
    toys.edit(item["id"], title="Later", scheduledPublishAt=LATER)
    toys.publish(item["id"])

    shown = admin.edit(item["id"], description="Right", line2="New", live=True)

    assert (shown["approvalStatus"], shown["staged"]) == ("approved", True)
    public = toys.public_item(shown["live"]["slug"])
    assert (public["title"], public["description"]) == ("Live", "Right")
    assert verify(instance).deviations == []
    clock.move_to(LATEST)
    [public] = toys.public_list()
    assert (public["title"], public["description"], public["line2"]) == ("Later", "Right", "New")
    assert verify(instance).deviations == []


def test_a_dropped_edit_leaves_the_fix(toys: Desk, admin: Desk, instance: Instance) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Theirs")
    slug = admin.edit(item["id"], slug="fixed", note="Called them", live=True)["live"]["slug"]
    assert slug == "fixed"
    assert toys.public_item("fixed")["id"] == item["id"]

    toys.drop_staged(item["id"])

    shown = toys.show(item["id"])
    assert (shown["title"], shown["slug"], shown["note"]) == (item["title"], "fixed", "Called them")
    assert verify(instance).deviations == []


def test_a_fix_of_an_item_that_is_taken_down_stays_hidden(toys: Desk, admin: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Theirs")
    toys.edit(item["id"], published=False)

    shown = admin.edit(item["id"], title="Fixed", live=True)

    assert (shown["published"], shown["live"]["title"]) == (False, "Fixed")
    assert toys.public_list() == []
