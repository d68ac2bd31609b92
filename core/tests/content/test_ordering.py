"""The order of lists, also for equal and missing keys, and their pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from masthead.testing import Desk
from masthead.testing.clock import Clock


def ids(items: list[dict[str, Any]]) -> list[int]:
    return [item["id"] for item in items]


def walk(desk: Desk, path: str, **query: Any) -> list[int]:
    """Return the ids of all pages, following the links."""
    found: list[int] = []
    url: str | None = path
    while url is not None:
        answer = desk.client.get(url, query)
        found += ids(answer.json)
        nexts = re.findall(r'<([^>]*)>; rel="next"', answer.headers.get("Link", ""))
        url, query = (nexts[0].replace("http://127.0.0.1:6543", ""), {}) if nexts else (None, {})
    return found


def test_lists_are_ordered_by_the_declared_field_and_then_by_id(toys: Desk) -> None:
    orders = [3, 1, 2, 1, 3, -5]
    made = [toys.create_public(displayOrder=order)["id"] for order in orders]
    wanted = [made[i] for i in (5, 1, 3, 2, 0, 4)]

    assert ids(toys.public_list()) == wanted
    assert ids(toys.list()) == wanted


def test_an_item_without_a_value_is_ordered_by_the_default(toys: Desk) -> None:
    above = toys.create_public(displayOrder=1)["id"]
    below = toys.create_public(displayOrder=-1)["id"]
    default = toys.create(title="Default")

    assert default["displayOrder"] == 0
    assert ids(toys.list()) == [below, default["id"], above]


def test_by_default_the_newest_come_first(clock: Clock, memos: Desk) -> None:
    made = []
    for _ in range(3):
        made.append(memos.create()["id"])
        clock.shift(minutes=1)
    made.append(memos.create()["id"])
    made.append(memos.create()["id"])

    assert ids(memos.list()) == made[::-1]
    memos.edit(made[0], title="Edited later")
    assert ids(memos.list()) == made[::-1]


def test_changing_an_items_position_moves_it_in_the_lists_of_its_tags(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Wood")
    first, second = (toys.create_public(displayOrder=n, tagIds=[tag["id"]])["id"] for n in (1, 2))
    assert ids(toys.public_list(tag="wood")) == [first, second]

    toys.edit(first, displayOrder=9)

    assert ids(toys.public_list(tag="wood")) == [second, first]


def test_pages_neither_repeat_nor_lose_a_row(toys: Desk, make_tag: Callable[[str], Any]) -> None:
    tag = make_tag("Wood")
    for _ in range(7):
        toys.create_public(displayOrder=1, tagIds=[tag["id"]])
    everything = ids(toys.list())

    for limit in (2, 3, 500):
        assert walk(toys, "/api/staff/toys", limit=limit) == everything
        assert walk(toys, "/api/toys", limit=limit) == everything
        assert walk(toys, "/api/toys", limit=limit, tag="wood") == everything


def test_a_page_has_the_total_and_links_to_its_neighbours(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Wood")
    for n in range(5):
        toys.create_public(displayOrder=n, tagIds=[tag["id"]])
    toys.create()

    for path in ("/api/toys", "/api/staff/toys"):
        middle = toys.client.get(f"{path}?tag=wood&limit=2&offset=2&colour=red")
        start = f"<http://127.0.0.1:6543{path}?"
        assert middle.headers["X-Total-Count"] == "5"
        assert middle.headers["Link"] == (
            f'{start}tag=wood&limit=2&offset=4>; rel="next", '
            f'{start}tag=wood&limit=2&offset=0>; rel="prev"'
        )
    assert "Link" not in toys.client.get("/api/toys?limit=5").headers
    past = toys.client.get("/api/toys?limit=5&offset=100")
    assert (past.json, past.headers["X-Total-Count"]) == ([], "5")


def test_an_invalid_page_is_refused(toys: Desk) -> None:
    for name, value in (
        *(("limit", value) for value in ("0", "-1", "x", "", "1.5")),
        *(("offset", value) for value in ("-1", "x", "9" * 19)),
    ):
        for path in ("/api/toys", "/api/staff/toys"):
            error = toys.client.get(path, {name: value}, status=400).json["error"]
            assert error.startswith(name)


def test_a_limit_above_five_hundred_counts_as_five_hundred(toys: Desk) -> None:
    toys.create_public()

    assert len(toys.public_list(limit=501)) == 1
    assert len(toys.public_list(limit=2**62)) == 1


def test_unknown_parameters_change_neither_body_nor_header(toys: Desk) -> None:
    for n in range(3):
        toys.create_public(displayOrder=n)

    plain = toys.client.get("/api/toys?limit=2")
    busy = toys.client.get("/api/toys?limit=2&order=title&published=0&approvalStatus=draft")

    volatile = {"X-Request-Id"}
    assert busy.body == plain.body
    assert {k: v for k, v in busy.headers.items() if k not in volatile} == {
        k: v for k, v in plain.headers.items() if k not in volatile
    }


def test_the_list_of_an_unknown_tag_is_empty(toys: Desk, make_tag: Callable[[str], Any]) -> None:
    toys.create_public(tagIds=[make_tag("Wood")["id"]])

    for slug in ("stone", "Wood", "%", "wood' OR 1=1 --"):
        assert toys.public_list(tag=slug) == []
