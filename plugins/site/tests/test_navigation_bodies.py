"""Invalid bodies and ids of navigation entries are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakePage = Callable[..., Any]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "An entry needs"),
        ({"label": "A"}, "An entry needs"),
        ({"label": "A", "isFolder": False}, "An entry needs"),
        ({"label": "A", "path": "  "}, "An entry needs"),
        ({"label": "A", "isFolder": True, "path": "/a"}, "An entry needs"),
        ({"label": "A", "isFolder": True, "customPageId": 1}, "An entry needs"),
        ({"label": "A", "customPageId": 1, "path": "/a"}, "An entry needs"),
        ({"isFolder": True}, "label: Required"),
        ({"path": "/a"}, "label: Required"),
        ({"path": "/a", "label": " "}, "label: Required"),
        ({"path": "/a", "label": ["A"]}, "label: "),
        ({"path": "/a", "label": "x" * 201}, "label: "),
        ({"path": "/a", "label": "a\x1fb"}, "label: "),
        ({"path": "javascript:alert(1)", "label": "A"}, "path: "),
        ({"path": "//evil.example", "label": "A"}, "path: "),
        ({"path": "/" + "a" * 2000, "label": "A"}, "path: "),
        ({"path": 7, "label": "A"}, "path: "),
        ({"customPageId": 99}, "customPageId: There is no such page"),
        ({"customPageId": 2**63 - 1}, "customPageId: There is no such page"),
        ({"customPageId": 2**63}, "customPageId: "),
        ({"customPageId": 0}, "customPageId: "),
        ({"customPageId": True}, "customPageId: "),
        ({"customPageId": "1"}, "customPageId: "),
        ({"path": "/a", "label": "A", "isFolder": "yes"}, "isFolder: "),
        ({"path": "/a", "label": "A", "hidden": 2}, "hidden: "),
        ({"path": "/a", "label": "A", "order": "1"}, "order: "),
        ({"path": "/a", "label": "A", "order": 10**9 + 1}, "order: "),
        ({"path": "/a", "label": "A", "order": 1.5}, "order: "),
        ({"path": "/a", "label": "A", "parentId": 99}, "parentId: There is no such folder"),
        ({"path": "/a", "label": "A", "parentId": "nav-99"}, "parentId: There is no such folder"),
        ({"path": "/a", "label": "A", "parentId": "static-home"}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": "nav-0"}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": f"nav-{2**63}"}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": "٣"}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": 2**63}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": False}, "parentId: "),
        ({"path": "/a", "label": "A", "parentId": [1]}, "parentId: "),
    ],
)
def test_a_bad_body_makes_nothing(editor: Any, body: Any, named: str) -> None:
    before = editor.all()

    assert editor.refuse("post", **body).startswith(named)
    assert editor.all() == before


@pytest.mark.parametrize(
    ("entry", "change", "named"),
    [
        ("static-home", {"isFolder": True}, "isFolder: "),
        ("static-home", {"customPageId": 1}, "customPageId: "),
        ("static-home", {"path": "/start"}, "path: "),
        ("folder", {"isFolder": False}, "isFolder: "),
        ("folder", {"path": "/a"}, "path: "),
        ("folder", {"label": None}, "label: "),
        ("link", {"isFolder": True}, "isFolder: "),
        ("link", {"path": None}, "path: "),
        ("link", {"path": "data:,x"}, "path: "),
        ("link", {"label": ""}, "label: "),
        ("link", {"customPageId": 1}, "customPageId: "),
        ("link", {"parentId": "link"}, "parentId: "),
        ("page", {"customPageId": None}, "customPageId: "),
        ("page", {"customPageId": 99}, "customPageId: "),
        ("page", {"path": "/elsewhere"}, "path: "),
        ("page", {"parentId": "page"}, "parentId: "),
    ],
)
def test_an_entry_keeps_its_kind(
    editor: Any, make_page: MakePage, entry: str, change: Any, named: str
) -> None:
    ids = {
        "folder": editor.folder(),
        "link": editor.add("Link", path="/l")["id"],
        "page": editor.add(customPageId=make_page()["id"])["id"],
    }
    before = editor.all()
    change = {
        name: ids.get(value, value) if name == "parentId" else value
        for name, value in change.items()
    }

    error = editor.refuse("put", ids.get(entry, entry), **{"hidden": True, **change})

    assert error.startswith(named)
    assert editor.all() == before


@pytest.mark.parametrize(
    "entry",
    [
        *("1", "nav-99", "custom-0", "static-nothing", "static-", "home", "nav-", "-1", "01"),
        *(str(2**63), "9" * 30, "%00", "static-%00", "%D9%A3", "nav-1%20", "x" * 300),
    ],
)
def test_an_entry_that_is_not_there_is_not_found(editor: Any, entry: str) -> None:
    # The number of a static entry's row is not an id.
    editor.change("static-home", label="Start")

    assert editor.refuse("put", entry, status=404, label="A") == "Not found"
    assert editor.refuse("delete", entry, status=404) == "Not found"
