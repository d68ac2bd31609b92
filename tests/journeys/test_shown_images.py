"""Stored images in public answers: an object beside each address, and sizes in HTML."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead.testing import Client, Desk

BASE = "http://127.0.0.1:6543"


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def stored(staff: Client) -> Any:
    """Return a stored image of 700 × 400 pixels with an alternative text."""
    file = BytesIO()
    Image.new("RGB", (700, 400), "teal").save(file, "PNG")
    upload = Upload("river.png", file.getvalue(), "image/png")
    made = staff.post("/api/staff/upload/image", {"file": upload}).json
    return staff.put_json(f"/api/staff/images/{made['key']}", {"altText": 'The "river"'}).json


@pytest.fixture
def shown(stored: Any) -> Mapping[str, Any]:
    """Return the object that answers show."""
    return {
        "url": stored["url"],
        "alt": 'The "river"',
        "width": 700,
        "height": 400,
        "widths": [320, 640],
        "type": "image/png",
    }


def test_each_address_of_a_stored_image_has_the_image_beside_it(
    app: Client, staff: Client, stored: Any, shown: Mapping[str, Any]
) -> None:
    url, start = stored["url"], "2026-03-05T10:00:00Z"
    news, events, actions = (
        Desk(app, each).as_role("admin") for each in ("news", "events", "actions")
    )
    tag = [staff.post_json("/api/staff/tags", {"name": "Water"}).json["id"]]
    plain = news.create_public(imageUrl=f"{url}?w=320", tagIds=tag)
    news.create_public(imageUrl=BASE + url, tagIds=tag, title="Other")
    events.create_public(imageUrl=url, startDate=start)
    actions.create_public(coverImageUrl=url)
    staff.post_json(
        "/api/staff/people", {"name": "Ada", "role": "Chair", "imageUrl": url, "published": True}
    )
    staff.put_json("/api/staff/static-images/logo", {"imageUrl": url})

    assert [item["image"] for item in app.get("/api/news").json] == [shown, shown]
    assert [item["image"] for item in app.get("/api/news?search=other").json] == [shown]
    assert [item["image"] for item in app.get("/api/news?tag=water&sort=title").json] == [shown] * 2
    assert news.public_item(plain["slug"])["image"] == shown
    assert news.related(plain["id"])[0]["image"] == shown
    assert [item["image"] for item in app.get("/api/events").json] == [shown]
    assert [item["coverImage"] for item in app.get("/api/actions").json] == [shown]
    assert [item["image"] for item in app.get("/api/people").json] == [shown]
    logo = app.get("/api/static-images/logo").json
    assert (logo["imageUrl"], logo["image"]) == (url, shown)


@pytest.mark.parametrize(
    "address",
    [
        None,
        "/elsewhere.png",
        "https://example.org/api/images/images/1.png",
        "/api/images/images/1772357400000-00000000000000000000000000000000.png",
    ],
)
def test_the_image_of_another_address_is_null(app: Client, address: str | None) -> None:
    desk = Desk(app, "news").as_role("admin")
    item = desk.create_public(imageUrl=address)

    assert desk.public_list()[0]["image"] is None
    assert desk.public_item(item["slug"])["image"] is None


def test_a_new_alternative_text_is_shown_at_once(app: Client, staff: Client, stored: Any) -> None:
    desk = Desk(app, "news").as_role("admin")
    item = desk.create_public(imageUrl=stored["url"], content=f'<p><img src="{stored["url"]}"></p>')
    paths = ("/api/news", f"/api/news/{item['slug']}", "/api/news?include=content")
    before = [app.get(path).headers["ETag"] for path in paths]

    staff.put_json(f"/api/staff/images/{stored['key']}", {"altText": "A bridge"})

    assert app.get("/api/news").json[0]["image"]["alt"] == "A bridge"
    assert 'alt="A bridge"' in app.get(paths[1]).json["content"]
    assert all(app.get(path).headers["ETag"] not in before for path in paths)


def test_html_has_the_sizes_and_texts_that_it_lacks(
    app: Client, staff: Client, stored: Any
) -> None:
    url = stored["url"]
    content = (
        f'<p><img src="{url}"><img src="{url}?w=320" alt=""><img src="{BASE}{url}" width="300">'
        f'<img src="/other.png"></p>'
    )
    size = 'width="700" height="400"'
    alt = 'alt="The &quot;river&quot;"'
    completed = (
        f'<p><img src="{url}" {size} {alt}><img src="{url}?w=320" alt="" {size}>'
        f'<img src="{BASE}{url}" width="300" {alt}><img src="/other.png"></p>'
    )
    for name in ("actions", "news"):
        desk = Desk(app, name).as_role("admin")
        item = desk.create_public(content=content)

        assert desk.show(item["id"])["content"] == content
        assert desk.public_item(item["slug"])["content"] == completed
        assert desk.public_list(include="content")[0]["content"] == completed
    assert app.get("/api/actions").json[0]["content"] == completed
    assert app.get("/api/actions?search=new").json == []
    page = staff.post_json(
        "/api/staff/pages", {"title": "Imprint", "content": content, "published": True}
    ).json
    assert app.get(f"/api/pages/{page['slug']}").json["content"] == completed
    absolute = app.get(f"/api/pages/{page['slug']}?html=absolute").json["content"]
    assert f'<img src="{BASE}{url}" {size} {alt}>' in absolute
