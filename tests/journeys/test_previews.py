"""Previews of the items of resources."""

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


def test_a_newsletter_is_shown_as_its_page_will_be(app: Client) -> None:
    editor = app.as_role("editor")
    letter = {
        "title": "May",
        "subject": "News for {{ name | all }}",
        "html_content": '<p onclick="x()">Hi {{ name | all }}</p>'
        '<a href="{{ unsubscribe }}">Leave</a>',
        "text_content": "Hi",
    }
    made = editor.post_json("/api/staff/newsletters", letter).json
    path = f"/api/staff/newsletters/{made['id']}"
    link = editor.post_json(f"{path}/previews", {"endOnChange": True}).json
    app.get(f"/api/newsletters/{made['id']}", status=404)

    opened = app.post_json("/api/preview", {"token": link["token"]}).json

    assert opened["type"] == "newsletters"
    item = opened["item"]
    assert (item["title"], item["subject"], item["sentAt"]) == ("May", "News for all", None)
    assert "Hi all" in item["html"]
    assert "onclick" not in item["html"]
    assert "unsubscribe" not in item["html"]
    assert editor.get(path).json == made
    assert [each["id"] for each in editor.get(f"{path}/previews").json] == [link["id"]]
    editor.put_json(path, {"title": "June"})
    app.post_json("/api/preview", {"token": link["token"]}, status=404)


@pytest.mark.parametrize("kind", ["actions", "events", "news", *BODIES])
def test_an_item_that_does_not_exist_has_no_links(app: Client, kind: str) -> None:
    path = f"/api/staff/{kind}/1"
    app.as_role("editor").get(f"{path}/previews", status=404)
    app.as_role("editor").post_json(f"{path}/preview", {}, status=404)
