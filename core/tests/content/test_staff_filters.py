"""The filters and the orders of staff lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Clock, Desk


@pytest.fixture
def ids(toys: Desk) -> Callable[..., list[int]]:
    """Return the ids of the items that a staff list shows."""

    def listed(**query: Any) -> list[int]:
        return [item["id"] for item in toys.list(**query)]

    return listed


def test_filters_select_what_staff_see(
    toys: Desk, ids: Callable[..., list[int]], make_tag: Callable[[str], Any]
) -> None:
    wood, steel = make_tag("Wood"), make_tag("Steel")
    draft = toys.create(title="Red", displayOrder=1)["id"]
    public = toys.create_public(title="Blue", displayOrder=2, tagIds=[steel["id"]])["id"]
    edited = toys.create_public(title="Green", displayOrder=3, tagIds=[wood["id"]])["id"]
    toys.edit(edited, title="Red and green", tagIds=[steel["id"]])
    pending = toys.as_role("admin").create(title="Grey", displayOrder=4)["id"]
    toys.request(pending)
    admin_id = toys.show(pending)["createdBy"]["id"]

    assert ids(approvalStatus="draft") == [draft, edited]
    assert ids(approvalStatus="pending") == [pending]
    assert ids(published="true") == [public, edited]
    assert ids(published="false") == [draft, pending]
    assert ids(staged="true") == [edited]
    assert ids(staged="false") == [draft, public, pending]
    assert ids(tag="steel") == [public, edited]
    assert ids(tag="wood") == ids(tag="unknown") == ids(createdBy=10**9) == []
    assert ids(createdBy=admin_id) == ids(editedBy=admin_id) == [pending]
    assert ids(search="red", staged="true") == [edited]
    assert ids(search="red", sort="-title") == [draft, edited], "by live titles"
    assert ids(search="red", published="true", tag="wood") == []
    assert ids(tag="steel", published="true", limit=1, offset=1) == [edited]


def test_items_updated_since_a_time(
    clock: Clock, toys: Desk, ids: Callable[..., list[int]]
) -> None:
    old, new = toys.create()["id"], toys.create()["id"]
    clock.move_to("2026-03-02T08:00:00.000Z")
    toys.edit(new, title="New")

    assert ids(updatedSince="2026-03-02T08:00:00Z") == [new]
    assert ids(updatedSince="2026-03-02T08:00:00.001Z") == []
    assert ids(sort="-updatedAt") == [new, old]


def test_lists_are_sorted_by_declared_fields(toys: Desk, ids: Callable[..., list[int]]) -> None:
    first, second, third = (
        toys.create(title=title, displayOrder=order)["id"]
        for title, order in (("b", 2), ("A", 3), ("b", 1))
    )

    assert ids() == ids(sort="displayOrder") == [third, first, second]
    assert ids(sort="-displayOrder") == [second, first, third]
    assert ids(sort="title") == [second, first, third]
    assert ids(sort="-title") == [third, first, second]
    assert ids(sort="createdAt", limit=2) == [first, second]
    assert "sort" in toys.list(sort="slug", status=400)["error"]
    assert "approvalStatus" in toys.list(approvalStatus="live", status=400)["error"]


def test_the_pages_of_a_filtered_list_are_counted_and_linked(toys: Desk) -> None:
    for number in range(3):
        toys.create(title=f"Toy {number}")

    page = toys.client.get("/api/staff/toys?approvalStatus=draft&sort=title&limit=1&offset=1")

    assert page.headers["X-Total-Count"] == "3"
    assert "approvalStatus=draft&sort=title&limit=1&offset=2" in page.headers["Link"]
    assert [item["title"] for item in page.json] == ["Toy 1"]
