"""Items that vanish at a time of their own, and whose detail the public may still read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk

CLOSES, LATER = "2026-03-05T00:00:00.000Z", "2026-03-06T00:00:00.000Z"


@pytest.fixture
def outlets(app: Client) -> Callable[[], list[int]]:
    """Return the number of offers in each list, checked against the total."""

    def count() -> list[int]:
        found = []
        for query in ("", "?tag=wood", "?search=kite", "?price=1", "?sort=title", "?html=absolute"):
            answer = app.get(f"/api/offers{query}")
            assert answer.headers["X-Total-Count"] == str(len(answer.json))
            assert not any(item["expired"] for item in answer.json)
            found.append(len(answer.json))
        hits = app.get("/api/search?q=kite").json["items"]
        return [*found, len(hits)]

    return count


def test_lists_leave_it_out_and_its_detail_says_so(
    clock: Clock,
    app: Client,
    offers: Desk,
    make_tag: Callable[[str], Any],
    outlets: Callable[[], list[int]],
) -> None:
    tag = {"tagIds": [make_tag("Wood")["id"]]}
    other = offers.create_public(title="Kite club", price=1, **tag)
    item = offers.create_public(title="Kite", price=1, closesAt=CLOSES, **tag)
    cursor = app.get("/api/changes").json["cursor"]
    clock.move_to("2026-03-04T23:59:59.999Z")
    assert (outlets(), len(offers.related(other["id"]))) == ([2] * 7, 1)
    assert offers.public_item("kite")["expired"] is False

    clock.shift(milliseconds=1)

    assert (outlets(), offers.related(other["id"])) == ([1] * 7, [])
    shown = app.get("/api/offers/kite?include=related").json
    assert (shown["expired"], [each["slug"] for each in shown["related"]]) == (True, ["kite-club"])
    assert app.get("/api/offers/kite?fields=expired").json == {"expired": True}
    [change] = app.get("/api/changes", {"since": cursor}).json["changes"]
    assert (change["change"], change["at"], change["id"]) == ("withdrawn", CLOSES, item["id"])
    assert offers.list(visibility="expired")[0]["id"] == item["id"]
    assert offers.preview(item["id"])["expired"] is True
    chief = offers.as_role("admin")
    chief.edit(item["id"], scheduledUnpublishAt=CLOSES)
    offers.public_item("kite", status=404)


def test_the_earlier_one_of_two_times_counts(clock: Clock, app: Client, offers: Desk) -> None:
    times = [(CLOSES, LATER), (LATER, CLOSES), (CLOSES, CLOSES)]
    ids = {
        offers.create_public(closesAt=own, scheduledUnpublishAt=until)["id"] for own, until in times
    }
    cursor = app.get("/api/changes").json["cursor"]
    schedule = offers.as_role("admin").client.get("/api/staff/schedule").json
    assert [each["at"] for each in schedule] == [CLOSES] * 3

    clock.move_to("2026-03-07T00:00:00.000Z")

    changes = app.get("/api/changes", {"since": cursor}).json["changes"]
    assert [each["at"] for each in changes] == [CLOSES] * 3
    assert {each["id"] for each in changes} == ids


def test_an_approved_extension_shows_it_again(clock: Clock, offers: Desk) -> None:
    item = offers.create_public(title="Kite", closesAt=CLOSES)
    clock.move_to(CLOSES)
    offers.edit(item["id"], closesAt=LATER)
    assert offers.public_list() == []

    offers.publish(item["id"])

    assert [each["closesAt"] for each in offers.public_list()] == [LATER]
    assert offers.public_item("kite")["expired"] is False


def test_an_item_that_would_expire_before_it_appears_is_refused(offers: Desk) -> None:
    refused = offers.create(scheduledPublishAt=LATER, closesAt=CLOSES, status=400)

    assert refused["error"] == "closesAt: Must be after scheduledPublishAt"


def test_an_item_without_an_open_detail_is_gone_but_has_a_preview(
    clock: Clock, app: Client
) -> None:
    sales = Desk(app, "sales").as_role("editor")
    first = sales.create_public(title="First", endsAt=LATER)
    second = sales.create_public(title="Second", endsAt=CLOSES)
    assert [each["title"] for each in sales.public_list()] == ["Second", "First"]

    clock.move_to(CLOSES)

    assert [each["title"] for each in sales.public_list()] == ["First"]
    sales.public_item(second["slug"], status=404)
    assert sales.preview(second["id"])["title"] == "Second"
    assert "expired" not in sales.public_item(first["slug"])
