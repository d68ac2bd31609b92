"""The conventions that all endpoints of the site plugin follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client

LISTS = ["navigation", "pages", "about/values", "static-images", "contact-messages"]
PUBLIC = ["navigation", "pages/imprint", "about", "static-images", "static-images/logo"]
CHANGES = {
    "pages": {"title": "New"},
    "about/values": {"title": "New"},
    "static-images": {"name": "New"},
    "contact-messages": {"status": "read"},
}
MESSAGE = {"name": "Eve", "email": "eve@example.org", "subject": "A", "message": "B"}


@pytest.fixture(autouse=True)
def something_of_each(app: Client, staff: Client, make_page: Callable[..., Any]) -> None:
    make_page()
    staff.post_json("/api/staff/about/values", {"title": "Trust"})
    app.post_json("/api/contact", MESSAGE)


@pytest.mark.parametrize("path", [f"staff/{name}" for name in LISTS] + ["navigation"])
@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "x"}, {"offset": "-1"}])
def test_an_invalid_part_of_a_list_is_refused(
    staff: Client, path: str, query: dict[str, str]
) -> None:
    [name] = query

    assert staff.get(f"/api/{path}", query, status=400).json["error"].startswith(f"{name}: ")


def test_the_public_list_of_static_images_refuses_one_too(app: Client) -> None:
    app.get("/api/static-images", {"offset": "no"}, status=400)


@pytest.mark.parametrize("path", PUBLIC)
def test_public_answers_are_kept_until_something_changes(
    app: Client, staff: Client, make_page: Callable[..., Any], path: str
) -> None:
    first = app.get(f"/api/{path}")
    etag = first.headers["ETag"]

    assert app.get(f"/api/{path}", headers={"If-None-Match": etag}, status=304).body == b""
    make_page("Another")
    second = app.get(f"/api/{path}")
    changed = second.headers["ETag"]
    assert (changed != etag) == (second.body != first.body)
    staff.get("/api/staff/pages")
    app.get(f"/api/{path}", headers={"If-None-Match": changed}, status=304)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_another_revision_is_refused(staff: Client, name: str) -> None:
    path = f"/api/staff/{name}"
    [item, *_] = staff.get(path).json
    one = f"{path}/{item['id']}"

    staff.put_json(one, CHANGES[name], headers={"If-Match": '"7"'}, status=412)
    staff.put_json(one, CHANGES[name] | {"etag": "7"}, status=400)
    assert staff.get(one).headers["ETag"] == '"1"'
    assert staff.put_json(one, CHANGES[name] | {"etag": "1"}).headers["ETag"] == '"2"'


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("item", ["0", "-1", "x y", "1.5", str(2**63), "99"])
def test_an_id_of_nothing_is_not_found(staff: Client, name: str, item: str) -> None:
    path = f"/api/staff/{name}/{item}"

    for method in (staff.get, staff.delete):
        method(path, status=404)
    staff.put_json(path, {}, status=404)


@pytest.mark.parametrize(
    "path", [*(f"staff/{name}" for name in (*LISTS[:4], "navigation/static-home")), "contact"]
)
@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"a": NaN}', b'{"a":1,"a":2}', b"\xff"])
def test_a_body_that_is_no_json_object_is_refused(staff: Client, path: str, body: bytes) -> None:
    send = staff.put if path.endswith("static-home") else staff.post

    assert "error" in send(f"/api/{path}", body, status=400).json


@pytest.mark.parametrize(
    ("area", "paths"),
    [("site", [*LISTS[:4], "about"]), ("messages", ["contact-messages"])],
)
def test_each_area_opens_its_own(
    app: Client, make_role: Callable[..., Any], area: str, paths: list[str]
) -> None:
    make_role("reader", f"{area}.read")
    reader = app.as_role("reader")

    for path in [*LISTS, "about"]:
        reader.get(f"/api/staff/{path}", status=200 if path in paths else 403)
    for path in ("navigation/static-home", "about", "pages/1", "contact-messages/1"):
        reader.put_json(f"/api/staff/{path}", {}, status=403)
