"""Items vanish by themselves at their ``scheduledUnpublishAt``."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk

SOON, LATER = "2026-03-05T00:00:00.000Z", "2026-03-06T00:00:00.000Z"
TIMES = {"scheduledPublishAt": SOON, "scheduledUnpublishAt": LATER}
ERROR = "scheduledUnpublishAt: Must be after scheduledPublishAt"


@pytest.fixture
def chief(toys: Desk) -> Desk:
    return toys.as_role("admin")


class Log:
    """The public changes since it was made."""

    def __init__(self, app: Client) -> None:
        self._app = app
        self._cursor = app.get("/api/changes").json["cursor"]

    def read(self) -> list[Any]:
        """Return the kinds and the ids of all further changes."""
        answer = self._app.get("/api/changes", {"since": self._cursor}).json
        self._cursor = answer["cursor"]
        return [(each["change"], each["id"], each["at"]) for each in answer["changes"]]


def titles(toys: Desk) -> list[str]:
    return [each["title"] for each in toys.public_list()]


def test_an_item_that_would_vanish_before_it_appears_is_refused(toys: Desk) -> None:
    for until in (SOON, "2026-01-01"):
        values = {**TIMES, "scheduledUnpublishAt": until}
        assert toys.create(**values, status=400)["error"] == ERROR
    draft, public = toys.create(scheduledPublishAt=SOON), toys.create_public()
    for name, time in (("scheduledUnpublishAt", SOON), ("scheduledPublishAt", LATER)):
        toys.edit(public["id"], **{**TIMES, name: time}, status=400)
        toys.edit(draft["id"], **{**TIMES, name: time}, status=400)
    toys.edit(draft["id"], scheduledUnpublishAt=SOON, status=400)
    toys.edit(draft["id"], scheduledUnpublishAt="soon", status=400)


def test_whoever_edits_it_hides_it_earlier_at_once_and_later_after_an_approval(
    clock: Clock, toys: Desk
) -> None:
    item = toys.create_public(title="Live")
    edited = toys.edit(item["id"], title="Edited", scheduledUnpublishAt=SOON)
    assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)
    assert edited["live"]["scheduledUnpublishAt"] == SOON
    for later in (LATER, None):
        edited = toys.edit(item["id"], scheduledUnpublishAt=later)
        assert edited["live"]["scheduledUnpublishAt"] == SOON
    toys.drop_staged(item["id"])

    clock.move_to(SOON)
    assert titles(toys) == []
    toys.edit(item["id"], scheduledUnpublishAt=None)
    assert titles(toys) == []
    shown = toys.publish(item["id"])
    assert (titles(toys), shown["visibility"]) == (["Live"], "visible")


def test_a_time_that_lies_ahead_is_no_change_for_the_public(
    clock: Clock, app: Client, toys: Desk, chief: Desk
) -> None:
    item = toys.create_public()
    before, log = toys.public_item(item["slug"]), Log(app)
    clock.shift(hours=1)

    chief.edit(item["id"], scheduledUnpublishAt=SOON)

    assert toys.public_item(item["slug"]) == before
    assert log.read() == []
    clock.move_to(SOON)
    assert log.read() == [("withdrawn", item["id"], SOON)]
    clock.shift(hours=1)
    chief.edit(item["id"], scheduledUnpublishAt=LATER)
    again = toys.public_item(item["slug"])["updatedAt"]
    assert again > SOON
    assert [each[:2] for each in log.read()] == [("published", item["id"])]
    assert toys.public_list(updatedSince=again) != []


def test_the_log_has_each_change_that_time_makes_in_order(
    clock: Clock, app: Client, toys: Desk, chief: Desk
) -> None:
    log = Log(app)
    both = toys.create_public(**TIMES)["id"]
    first, second, third = (
        toys.create_public(scheduledUnpublishAt=f"2026-03-05T0{hour}:00:00.000Z")["id"]
        for hour in (1, 2, 3)
    )
    assert [each[1] for each in log.read()] == [first, second, third]

    # Nobody asks, and no job runs, until some of them have vanished.
    clock.move_to("2026-03-05T02:30:00.000Z")
    chief.delete(first)
    chief.edit(second, scheduledUnpublishAt=None)
    chief.edit(third, title="Edited")
    clock.move_to(LATER)

    assert [each[:2] for each in log.read()] == [
        ("withdrawn", first),
        ("changed", second),
        ("changed", third),
        ("published", both),
        ("withdrawn", third),
        ("withdrawn", both),
    ]
    assert log.read() == []


def test_approved_edits_vanish_at_their_own_time(clock: Clock, app: Client, toys: Desk) -> None:
    item = toys.create_public(title="Live", scheduledUnpublishAt="2026-03-04T00:00:00.000Z")
    toys.edit(item["id"], title="Edited", **TIMES)
    assert toys.publish(item["id"])["staged"]
    log = Log(app)

    clock.move_to("2026-03-04T12:00:00.000Z")
    assert titles(toys) == []
    assert [each[0] for each in log.read()] == ["withdrawn"]
    clock.move_to(SOON)
    assert titles(toys) == ["Edited"]
    clock.move_to(LATER)
    assert titles(toys) == []
    assert [each[0] for each in log.read()] == ["published", "withdrawn"]
    assert toys.show(item["id"])["visibility"] == "expired"


def test_a_clock_that_jumps_publishes_nothing_twice_and_nothing_early(
    clock: Clock, app: Client, toys: Desk, chief: Desk
) -> None:
    edited, timed = toys.create_public(title="Live"), toys.create_public(title="Timed", **TIMES)
    toys.edit(edited["id"], title="Edited", scheduledPublishAt=SOON)
    toys.publish(edited["id"])
    log = Log(app)

    clock.move_to("2026-03-05T12:00:00.000Z")
    assert sorted(titles(toys)) == ["Edited", "Timed"]
    assert sorted(each[1] for each in log.read()) == [edited["id"], timed["id"]]
    clock.move_to("2026-03-04T12:00:00.000Z")
    # No item is seen before its time, edited or not.
    assert titles(toys) == []
    new = chief.create_public(title="New", scheduledPublishAt="2026-03-05T06:00:00.000Z")
    assert log.read() == []
    clock.move_to("2026-03-05T13:00:00.000Z")
    assert sorted(titles(toys)) == ["Edited", "New", "Timed"]
    assert [each[:2] for each in log.read()] == [("published", new["id"])]
    clock.move_to("2026-12-01T00:00:00.000Z")
    assert [each[:2] for each in log.read()] == [("withdrawn", timed["id"])]
    moves = app.as_role("admin").get("/api/staff/audit-log").json
    assert [each["action"] for each in moves].count("content.go-live") == 1
