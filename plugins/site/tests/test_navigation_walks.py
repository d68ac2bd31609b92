"""After any changes the navigation has no loop, loses no entry and shows no hidden one.

A walk makes random changes, and compares the navigation with a model of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.testing import Client

NAVIGATION = "/api/staff/navigation"
PAGES = "/api/staff/pages"
LEVELS = 5
ROUNDS = 8


@dataclass
class Known:
    """An entry in the model."""

    parent: str | None = None
    folder: bool = False
    hidden: bool = False
    page: int | None = None


class Walk:
    """A series of changes by staff, and a model of the navigation."""

    def __init__(self, app: Client, staff: Client) -> None:
        self.app, self.staff = app, staff
        self.published: dict[int, bool] = {}
        first = staff.get(NAVIGATION).json
        self.entries = {item["id"]: Known(item["parentId"]) for item in first}

    def pick(self, number: int) -> str:
        """Return one of the entries."""
        return sorted(self.entries)[number % len(self.entries)]

    def step(self, change: str, one: int, other: int, flag: bool) -> None:
        """Make one change; the navigation has to refuse it where the model does."""
        getattr(self, f"do_{change}")(self.pick(one), self.pick(other), flag)

    def do_folder(self, parent: str, _other: str, hidden: bool) -> None:
        body = {"label": "Folder", "isFolder": True, "parentId": parent, "hidden": hidden}
        self._create(body, Known(parent, folder=True, hidden=hidden))

    def do_link(self, parent: str, _other: str, hidden: bool) -> None:
        body = {"label": "Link", "path": "/link", "parentId": parent, "hidden": hidden}
        self._create(body, Known(parent, hidden=hidden))

    def do_page(self, parent: str, _other: str, published: bool) -> None:
        sent = {"title": "Page", "published": published}
        page = self.staff.post_json(PAGES, sent).json["id"]
        self.published[page] = published
        self._create({"customPageId": page, "parentId": parent}, Known(parent, page=page))

    def do_move(self, entry: str, parent: str, _flag: bool) -> None:
        fits = self._fits(parent, self._height(entry)) and entry not in self._above(parent)
        if not self.entries[entry].folder:
            fits = self.entries[parent].folder
        self._change(entry, {"parentId": parent}, fits=fits)
        if fits:
            self.entries[entry].parent = parent

    def do_move_out(self, entry: str, _other: str, _flag: bool) -> None:
        self._change(entry, {"parentId": None}, fits=True)
        self.entries[entry].parent = None

    def do_hide(self, entry: str, _other: str, hidden: bool) -> None:
        self._change(entry, {"hidden": hidden}, fits=True)
        self.entries[entry].hidden = hidden

    def do_publish(self, entry: str, _other: str, published: bool) -> None:
        page = self.entries[entry].page
        if page is not None:
            self.staff.put_json(f"{PAGES}/{page}", {"published": published})
            self.published[page] = published

    def do_delete(self, entry: str, _other: str, _flag: bool) -> None:
        static = entry.startswith("static-")
        self.staff.delete(f"{NAVIGATION}/{entry}", status=400 if static else 200)
        if not static:
            gone = self.entries.pop(entry)
            for known in self.entries.values():
                known.parent = gone.parent if known.parent == entry else known.parent

    def do_delete_page(self, entry: str, _other: str, _flag: bool) -> None:
        page = self.entries[entry].page
        if page is not None:
            self.staff.delete(f"{PAGES}/{page}")
            self.entries = {e: known for e, known in self.entries.items() if known.page != page}

    def check(self) -> None:
        """Compare the navigation of staff and visitors with the model."""
        listed = self.staff.get(NAVIGATION).json
        found = {item["id"]: (item["parentId"], item["hidden"]) for item in listed}
        assert found == {e: (known.parent, known.hidden) for e, known in self.entries.items()}
        assert len(listed) == len(found)
        seen = list(walk(self.app.get("/api/navigation").json, None))
        assert len(seen) == len(set(seen))
        assert set(seen) == {(e, k.parent) for e, k in self.entries.items() if self._shows(e)}

    def _create(self, body: dict[str, Any], known: Known) -> None:
        assert known.parent is not None
        fits = self._fits(known.parent, 1) if known.folder else self.entries[known.parent].folder
        answer = self.staff.post_json(NAVIGATION, body, status=200 if fits else 400)
        if fits:
            self.entries[answer.json["id"]] = known

    def _change(self, entry: str, body: dict[str, Any], *, fits: bool) -> None:
        self.staff.put_json(f"{NAVIGATION}/{entry}", body, status=200 if fits else 400)

    def _fits(self, parent: str, height: int) -> bool:
        return self.entries[parent].folder and len(self._above(parent)) + height <= LEVELS

    def _above(self, entry: str) -> list[str]:
        """Return the entry, and the folders that contain it."""
        path = [entry]
        while (parent := self.entries[path[-1]].parent) is not None:
            path.append(parent)
        return path

    def _height(self, entry: str) -> int:
        paths = [self._above(e) for e, known in self.entries.items() if known.folder]
        return max((path.index(entry) + 1 for path in paths if entry in path), default=1)

    def _shows(self, entry: str) -> bool:
        page = self.entries[entry].page
        hidden = any(self.entries[each].hidden for each in self._above(entry))
        return not hidden and (page is None or self.published[page])


def walk(items: list[Any], parent: str | None) -> Iterator[tuple[str, str | None]]:
    """Yield each entry with the folder that contains it."""
    for item in items:
        yield item["id"], parent
        yield from walk(item.get("children", []), item["id"])


def cleared(app: Client, staff: Client) -> Walk:
    """Return a walk that starts from one folder, without the entries of an earlier walk."""
    for entry in Walk(app, staff).entries:
        if entry.startswith("static-"):
            staff.put_json(f"{NAVIGATION}/{entry}", {"hidden": False, "parentId": None})
        else:
            staff.delete(f"{NAVIGATION}/{entry}")
    staff.post_json(NAVIGATION, {"label": "Folder", "isFolder": True})
    going = Walk(app, staff)
    going.entries[going.pick(0)].folder = True
    return going


THINGS = [name.removeprefix("do_") for name in vars(Walk) if name.startswith("do_")]
# Walks that create many folders nest deeply.
WEIGHTED = [*THINGS, "folder", "folder", "folder", "move", "move", "move"]


@pytest.mark.slow
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(WEIGHTED), st.integers(0, 99), st.integers(0, 99), st.booleans()),
        max_size=25,
    )
)
@settings(max_examples=20)
def test_any_walk_leaves_the_navigation_equal_to_the_model(
    app: Client, staff: Client, steps: list[tuple[str, int, int, bool]]
) -> None:
    going = cleared(app, staff)

    for step in steps:
        going.step(*step)

    going.check()


def test_two_moves_at_once_make_no_loop(staff: Client) -> None:
    folder = {"label": "Folder", "isFolder": True}
    for _ in range(ROUNDS):
        one, other = (staff.post_json(NAVIGATION, folder).json["id"] for _ in range(2))

        statuses = at_once(
            lambda one=one, other=other: move(staff, one, other),
            lambda one=one, other=other: move(staff, other, one),
        )

        assert sorted(statuses) == [200, 400]
        listed = {item["id"]: item["parentId"] for item in staff.get(NAVIGATION).json}
        assert sorted([listed[one] or "", listed[other] or ""])[0] == ""


def test_an_entry_and_the_delete_of_its_page_at_once_leave_neither_or_are_refused(
    staff: Client,
) -> None:
    for _ in range(ROUNDS):
        page = staff.post_json(PAGES, {"title": "Page"}).json["id"]

        statuses = at_once(
            lambda page=page: (
                staff.post_json(NAVIGATION, {"customPageId": page}, expect_errors=True).status_int
            ),
            lambda page=page: staff.delete(f"{PAGES}/{page}", expect_errors=True).status_int,
        )

        assert statuses[1] == 200
        assert statuses[0] in (200, 400)
        assert [item for item in staff.get(NAVIGATION).json if item["customPageId"] == page] == []


def move(staff: Client, entry: str, parent: str) -> int:
    body = {"parentId": parent}
    answer = staff.put_json(f"{NAVIGATION}/{entry}", body, expect_errors=True)
    return int(answer.status_int)


def at_once(*calls: Callable[[], int]) -> list[int]:
    """Run the calls in threads at the same moment, and return their results."""
    start = threading.Barrier(len(calls))
    got: list[int] = [0] * len(calls)

    def call(index: int) -> None:
        start.wait(10)
        got[index] = calls[index]()

    threads = [threading.Thread(target=call, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return got


@pytest.mark.parametrize("thing", THINGS)
def test_a_walk_can_do_everything(app: Client, staff: Client, thing: str) -> None:
    going = cleared(app, staff)
    folder = going.pick(0)
    going.do_page(folder, folder, True)
    page = next(e for e, known in going.entries.items() if known.page)

    for entry in (page, folder, "static-home"):
        if entry in going.entries:
            getattr(going, f"do_{thing}")(entry, folder, True)
            going.check()
