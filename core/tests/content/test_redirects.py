"""Redirects from the paths of a former website to items that the public sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from masthead import add_path_redirects, former_path, utcnow
from masthead.content.contenttype import ContentType
from masthead.content.jsonl_import import content_importer
from masthead.instance import Instance
from masthead.resources.importing import ForeignItem
from masthead.resources.jsonl import import_lines
from masthead.testing import Desk
from masthead.testing.client import Client

Import = Callable[..., list[ForeignItem]]


@pytest.fixture
def do_import(instance: Instance, toys_type: ContentType) -> Import:
    def run(*lines: Any, publish: bool = True) -> list[ForeignItem]:
        texts = [json.dumps(line).encode() for line in lines]
        importer = content_importer(toys_type)
        return list(import_lines(instance, importer, texts, publish=publish, actor=None))

    return run


def redirects(app: Client, **query: Any) -> dict[str, str]:
    return {each["from"]: each["to"] for each in app.get("/api/redirects", query).json}


def test_former_paths_of_a_line_lead_to_its_item(app: Client, do_import: Import) -> None:
    do_import(
        {"title": "Robot", "formerPaths": ["/2019/05/robot/", "https://old.example/?p=17"]},
        {"title": "Kite", "slug": "blue-kite", "formerPaths": ["/kite"]},
    )

    assert redirects(app) == {
        "/2019/05/robot": "/toys/robot",
        "/?p=17": "/toys/robot",
        "/kite": "/toys/blue-kite",
    }


def test_one_redirect_is_found_by_any_spelling_of_its_address(
    app: Client, do_import: Import
) -> None:
    do_import({"title": "Robot", "formerPaths": ["/spielzeug/gr%c3%bcn/"]}, {"title": "Kite"})

    for spelling in ("/spielzeug/grün", "/spielzeug/gr%C3%BCn/", "https://a.test/spielzeug/grün#x"):
        assert redirects(app, **{"from": spelling}) == {"/spielzeug/gr%C3%BCn": "/toys/robot"}
    assert redirects(app, **{"from": "/spielzeug"}) == {}
    assert redirects(app, **{"from": "no path"}) == {}


def test_a_redirect_reveals_no_item_that_the_public_does_not_see(
    app: Client, do_import: Import
) -> None:
    later = (utcnow() + timedelta(days=1)).isoformat()
    do_import({"title": "Draft", "formerPaths": ["/draft"]}, publish=False)
    do_import({"title": "Kept", "formerPaths": ["/kept"], "published": False})
    do_import({"title": "Later", "formerPaths": ["/later"], "scheduledPublishAt": later})

    assert redirects(app) == {}


def test_a_redirect_ends_with_its_item(toys: Desk, app: Client, do_import: Import) -> None:
    [line] = do_import({"title": "Robot", "formerPaths": ["/robot"]})
    assert redirects(app) == {"/robot": "/toys/robot"}

    toys.delete(line.item_id)

    assert redirects(app) == {}


def test_a_later_import_moves_a_redirect(app: Client, do_import: Import) -> None:
    do_import({"title": "One", "formerPaths": ["/same"]})
    do_import({"title": "Two", "formerPaths": ["/same"]})

    assert redirects(app) == {"/same": "/toys/two"}


def test_no_path_redirects_to_itself(app: Client, do_import: Import) -> None:
    do_import({"title": "Robot", "formerPaths": ["/toys/robot/", "/robot"]})

    assert redirects(app) == {"/robot": "/toys/robot"}


def test_redirects_to_paths_are_listed_in_pages(app: Client, instance: Instance) -> None:
    with instance.database.transaction() as session:
        add_path_redirects(session, {"/a": "/one", "/b": "/two", "/same": "/same"})

    page = app.get("/api/redirects?limit=1")

    assert page.json == [{"from": "/a", "to": "/one"}]
    assert page.headers["X-Total-Count"] == "2"
    assert redirects(app, offset=1) == {"/b": "/two"}


@pytest.mark.parametrize(
    ("value", "warning"),
    [
        ("/one", "formerPaths: Must be a list of at most 20"),
        (["/x"] * 21, "formerPaths: Must be a list of at most 20"),
        ([1], "formerPaths.0: Must be a string"),
        (["one"], "formerPaths: Must be an address or a path that starts with a slash"),
        (["//host/one"], "formerPaths: Must be an address or a path that starts with a slash"),
        (["javascript:x"], "formerPaths: Must be an address or a path that starts with a slash"),
        (["https://[x/y"], "formerPaths: Must be an address or a path"),
        (["/"], "formerPaths: The start page can't redirect to an item"),
        (["/" + "ä" * 400], "formerPaths: At most 2000 characters"),
    ],
)
def test_a_wrong_former_path_is_left_out_with_a_warning(
    app: Client, do_import: Import, value: Any, warning: str
) -> None:
    [line] = do_import({"title": "Robot", "formerPaths": value})

    assert (line.error, line.warnings) == (None, [warning])
    assert redirects(app) == {}


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/a/b/", "/a/b"),
        ("https://old.example", None),
        ("http://old.example/?page_id=2", "/?page_id=2"),
        ("/a b", "/a%20b"),
        ("/%e4", "/%E4"),
        ("/%7Euser/", "/~user"),
        ("/a?x=%20#y", "/a?x=%20"),
    ],
)
def test_a_path_has_one_form(address: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(ValueError, match="start page"):
            former_path(address)
    else:
        assert former_path(address) == path
        assert former_path(path) == path
