"""The delete of an item that others refer to is refused, or clears their references."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.history.verifying import verify
from masthead.references.models import ItemReference
from masthead.references.rebuilding import dangling_references, rebuild_all
from masthead.testing import Client, Desk


def test_a_delete_is_refused_with_the_items_that_refer(
    venues: Desk, concerts: Desk, make_role: Callable[..., Any]
) -> None:
    hall = venues.create(title="Hall")["id"]
    first = concerts.create(title="First", venueId=hall)["id"]
    second = concerts.create_public(title="Second")["id"]
    concerts.edit(second, venueId=hall, stage=True)
    make_role("keeper", "venues.read", "venues.write")

    refused = venues.delete(hall, status=400)["error"]
    unread = venues.as_role("keeper").delete(hall, status=400)["error"]

    assert refused == f"Venue is used: concerts {first} (First), concerts {second} (Second)"
    assert unread == "Venue is used: 2 times where you may not read"
    concerts.edit(first, venueId=None)
    concerts.drop_staged(second)
    venues.delete(hall)


def test_items_that_refer_to_each_other_are_deleted_together(concerts: Desk) -> None:
    first = concerts.create(title="First")["id"]
    second = concerts.create(sequelId=first)["id"]
    third = concerts.create(title="Third", sequelId=second)["id"]
    concerts.edit(first, sequelId=second)

    kept = concerts.bulk("delete", [first, second])
    gone = concerts.bulk("delete", [first, second, third])

    used = f"Concert is used: concerts {first} (First), concerts {third} (Third)"
    assert {each["id"]: each["error"] for each in kept["failed"]} == {
        first: f"Concert is used: concerts {second} (A title)",
        second: used,
    }
    assert gone == {"success": True, "affected": 3, "failed": []}


def test_a_delete_clears_live_and_staged_values(
    admin: Client, instance: Instance, concerts: Desk, make_band: Any
) -> None:
    one, two = make_band("One")["id"], make_band("Two")["id"]
    item = concerts.create_public(bandIds=[one, two])
    concerts.edit(item["id"], title="New", bandIds=[two, one], stage=True)
    assert concerts.public_list()[0]["bandIds"] == [one, two]
    before = concerts.etag(item["id"])

    admin.delete(f"/api/staff/bands/{one}")

    shown = concerts.show(item["id"])
    assert (shown["bandIds"], shown["live"]["bandIds"]) == ([two], [two])
    assert (concerts.public_list()[0]["bandIds"], shown["title"]) == ([two], "New")
    assert concerts.etag(item["id"]) != before
    assert verify(instance).deviations == []


def test_a_restored_item_loses_what_is_gone_and_says_so(
    admin: Client, venues: Desk, concerts: Desk, make_band: Any
) -> None:
    hall, band = venues.create()["id"], make_band("One")["id"]
    item = concerts.create_public(venueId=hall, bandIds=[band])["id"]
    concerts.edit(item, title="New", stage=True)
    concerts.delete(item)
    venues.delete(hall)
    admin.delete(f"/api/staff/bands/{band}")
    [trashed] = admin.get("/api/staff/trash", {"contentType": "concerts"}).json

    restored = admin.post(f"/api/staff/trash/{trashed['id']}/restore").json

    assert {each["field"]: each["message"] for each in restored["unfit"]} == {
        "venueId": f"Does not exist any more: {hall}",
        "bandIds": f"Does not exist any more: {band}",
    }
    after = concerts.show(item)
    assert (after["venueId"], after["bandIds"], after["title"]) == (None, [], "New")


def test_a_restored_item_refers_to_what_is_there(
    admin: Client, venues: Desk, concerts: Desk
) -> None:
    hall = venues.create()["id"]
    item = concerts.create(venueId=hall)["id"]
    concerts.delete(item)
    [trashed] = admin.get("/api/staff/trash", {"contentType": "concerts"}).json

    admin.post(f"/api/staff/trash/{trashed['id']}/restore")

    assert [each["id"] for each in concerts.list(venueId=hall)] == [item]
    assert "is used" in venues.delete(hall, status=400)["error"]


@pytest.mark.parametrize("_round", range(3))
def test_a_reference_and_a_delete_at_once_leave_no_reference_to_nothing(
    venues: Desk, concerts: Desk, session: Session, _round: int
) -> None:
    hall, start = venues.create()["id"], Barrier(2)
    admin = concerts.client

    def refer() -> int:
        start.wait()
        body = {"title": "A", "venueId": hall}
        return int(admin.post_json("/api/staff/concerts", body, status="*").status_int)

    def remove() -> int:
        start.wait()
        return int(admin.delete(f"/api/staff/venues/{hall}", status="*").status_int)

    with ThreadPoolExecutor(2) as pool:
        statuses = [each.result() for each in (pool.submit(refer), pool.submit(remove))]

    assert sorted(statuses) == [200, 400]
    assert dangling_references(session) == []


def test_the_derived_table_is_rebuilt_and_names_what_is_missing(
    instance: Instance, lose: Callable[[int], None], venues: Desk, concerts: Desk, session: Session
) -> None:
    hall = venues.create()["id"]
    item = concerts.create_public(venueId=hall, title="Live")["id"]
    concerts.edit(item, sequelId=item, stage=True)
    with instance.database.transaction() as writing:
        before = rows(writing)
        writing.execute(delete(ItemReference))
        rebuild_all(writing)
        assert rows(writing) == before
    lose(hall)

    lost = f"these items of concerts refer to items of venues that don't exist: {item} (venueId"
    assert dangling_references(session) == [f"{lost} {hall})"]
    assert session.scalar(select(func.count()).select_from(ItemReference)) == 2


def rows(session: Session) -> list[Any]:
    table: Any = ItemReference.__table__
    return sorted(map(tuple, session.execute(select(table)).all()))
