"""Previews of pages and people, which have no approval."""

from __future__ import annotations

import pytest

from masthead.testing import Client

BODIES = {
    "pages": {"title": "About us", "content": "<p>We mend</p>", "lang": "de"},
    "people": {"name": "Ada", "role": "Chair", "briefMessage": "Hello"},
}


@pytest.mark.parametrize("kind", BODIES)
def test_an_unpublished_item_is_shown_as_the_public_will_see_it(app: Client, kind: str) -> None:
    editor = app.as_role("editor")
    item = editor.post_json(f"/api/staff/{kind}", BODIES[kind]).json
    path = f"/api/staff/{kind}/{item['id']}"
    token = editor.post_json(f"{path}/preview", {}).json["token"]
    answer = app.post_json("/api/preview", {"token": token}).json
    assert (answer["type"], editor.get(path).json) == (kind, item)

    editor.put_json(path, {"published": True})

    shown = answer["item"]
    address = f"/api/pages/{item['slug']}" if kind == "pages" else "/api/people"
    public = app.get(address).json if kind == "pages" else app.get(address).json[0]
    assert shown == public | {"updatedAt": shown["updatedAt"]}


@pytest.mark.parametrize("kind", ["actions", "events", "news", *BODIES])
def test_an_item_that_does_not_exist_has_no_links(app: Client, kind: str) -> None:
    path = f"/api/staff/{kind}/1"
    app.as_role("editor").get(f"{path}/previews", status=404)
    app.as_role("editor").post_json(f"{path}/preview", {}, status=404)
