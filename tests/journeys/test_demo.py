"""The demo, with all installed plugins and with one plugin alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from masthead import PUBLIC, Instance, ListOf, Resource, StartError
from masthead.content.contenttype import content_types_of
from masthead.demo.filling import fill
from masthead.testing import Client, Clock

FOLDERS = Path(__file__).parents[2].glob("plugins/*/pyproject.toml")
OURS = sorted(path.parent.name for path in FOLDERS)


@pytest.fixture
def plugins(request: pytest.FixtureRequest) -> Sequence[str]:
    """Return the plugins of the test's parameter; by default all of this repository."""
    given: Sequence[str] = getattr(request, "param", OURS)
    return given


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """Return the settings of the test's parameter."""
    given: Mapping[str, str] = getattr(request, "param", {})
    return given


@pytest.fixture
def admin(app: Client) -> Client:
    """Return an administrator created before the demo, who is notified of its pending content."""
    return app.as_role("admin")


def demonstrated(instance: Instance) -> list[Resource]:
    """Return the resources of which a demo has items: it calls no other program by webhooks."""
    return [each for name, each in instance.resources.items() if name != "webhooks"]


@pytest.mark.slow
def test_the_public_finds_something_everywhere(app: Client, instance: Instance) -> None:
    fill(instance)

    lists = [
        endpoint.path
        for endpoint in instance.endpoints
        if (endpoint.permission, endpoint.method) == (PUBLIC, "GET")
        and isinstance(endpoint.returns, ListOf)
        and "{" not in endpoint.path
    ]
    # The demo sends no newsletter, and has moved from nowhere.
    empty = {path for path in lists if not app.get(path).json}
    assert empty == {"/api/newsletters", "/api/redirects"}
    assert {"/api/news", "/api/events", "/api/actions", "/api/people"} <= set(lists)
    assert {"/api/tags", "/api/navigation", "/api/static-images"} <= set(lists)
    upcoming = app.get("/api/events?upcoming=true").json
    assert 0 < len(upcoming) < len(app.get("/api/events").json)
    about = app.get("/api/about").json
    assert [name for name in ("mission", "history", "values") if not about[name]] == []
    [folder] = [item for item in app.get("/api/navigation").json if item.get("isFolder")]
    assert [item["label"] for item in folder["children"]] == ["How we decide", "Imprint"]
    for words in ("river", "حديقة", "修理カフェ"):
        assert app.get("/api/news", {"search": words}).json


def test_feeds_sitemap_and_related_lists_contain_it(app: Client, instance: Instance) -> None:
    fill(instance)

    sitemap = app.get("/sitemap.xml").text
    for kind in content_types_of(instance):
        items = app.get(f"/api/{kind.name}").json
        assert [item["slug"] for item in items if f"/{item['slug']}<" not in sitemap] == []
        assert any(app.get(f"/api/{kind.name}/{item['id']}/related").json for item in items)
        if kind.feed is not None:
            feed = ET.fromstring(app.get(f"/api/feed/{kind.name}").body)
            assert len(feed.findall("channel/item")) == len(items)
            assert feed.findall("channel/item/enclosure")
    assert "/how-we-decide<" in sitemap
    assert "/minutes-of-the-meetings<" not in sitemap
    assert app.get("/api/feed/events.ics").text.count("BEGIN:VEVENT") == 5


def test_pictures_are_shown_wherever_there_is_room_for_one(
    app: Client, admin: Client, instance: Instance
) -> None:
    fill(instance)

    stored = admin.get("/api/staff/images").json
    assert {image["contentType"] for image in stored} == {"image/jpeg", "image/png"}
    assert [image for image in stored if not image["altText"] or image["size"] > 60_000] == []
    paths = ("/api/news", "/api/events", "/api/actions", "/api/people", "/api/static-images")
    shown = [
        {item.get("imageUrl") or item.get("coverImageUrl") for item in app.get(path).json}
        for path in paths
    ]
    assert [path for path, found in zip(paths, shown, strict=True) if not found - {None}] == []
    assert set[str].union(*shown) - {None} == {image["url"] for image in stored}
    assert {app.get(image["url"], {"w": "320"}).content_type for image in stored} == {
        "image/jpeg",
        "image/png",
    }


def test_staff_find_items_of_every_kind_and_one_that_is_pending(
    app: Client, admin: Client, instance: Instance
) -> None:
    fill(instance)

    lists = [resource.path for resource in demonstrated(instance)]
    assert [path for path in lists if not admin.get(f"/api/staff/{path}").json] == []
    follow_ups = admin.get("/api/staff/follow-up-dashboard").json
    assert {name: len(found) for name, found in follow_ups.items()} == dict.fromkeys(follow_ups, 1)
    states = Counter(
        item["approvalStatus"]
        for name in instance.content_types
        for item in admin.get(f"/api/staff/{name}").json
    )
    assert states["pending"] == 1
    assert states["draft"] == len(instance.content_types) - 1
    [told] = admin.get("/api/staff/notifications?unreadOnly=true").json
    assert told["type"] == "approval_request"
    before = len(app.get(f"/api/{told['contentType']}").json)
    item = {name: told[name] for name in ("contentType", "contentId")}
    admin.post_json("/api/staff/approval/approve", item)
    assert len(app.get(f"/api/{told['contentType']}").json) == before + 1


@pytest.mark.slow
def test_nobody_is_sent_anything_however_long_it_runs(
    clock: Clock, app: Client, instance: Instance, work: Callable[[], None]
) -> None:
    work()
    assert fill(instance)

    clock.shift(days=60)
    work()

    assert list(instance.data.rglob("*.eml")) == []
    admin = app.as_role("admin")
    [newsletter] = admin.get("/api/staff/newsletters").json
    assert (newsletter["status"], newsletter["sent_at"]) == ("draft", None)
    assert len(admin.get("/api/staff/follow-up-dashboard").json["overdue"]) == 2


def test_its_items_equal_items_that_staff_could_have_sent(
    admin: Client, instance: Instance
) -> None:
    fill(instance)

    for kind in content_types_of(instance):
        for shown in admin.get(f"/api/staff/{kind.name}").json:
            path = f"/api/staff/{kind.name}/{shown['id']}"
            before = admin.get(path).json
            tags = [tag["id"] for tag in before["tags"]]
            sent = {**{f.name: before[f.name] for f in kind.fields}, "tagIds": tags}
            assert admin.put_json(path, sent).json == before
    for resource in instance.resources.values():
        for shown in admin.get(f"/api/staff/{resource.path}").json:
            path = f"/api/staff/{resource.path}/{shown['id']}"
            before = admin.get(path).json
            sent = {f.name: before[f.name] for f in resource.editable_fields}
            assert admin.put_json(path, sent).json == before


@pytest.mark.exhaustive
@pytest.mark.parametrize("plugins", [[name] for name in OURS], ids=OURS, indirect=True)
def test_it_fills_core_with_one_plugin_alone(
    app: Client, admin: Client, instance: Instance
) -> None:
    assert fill(instance)

    assert len(admin.get("/api/staff/notifications").json) == bool(instance.content_types)
    public = [f"/api/{kind.name}" for kind in content_types_of(instance)]
    assert [path for path in public if not app.get(path).json] == []
    kept = [f"/api/staff/{resource.path}" for resource in demonstrated(instance)]
    assert [path for path in kept if not admin.get(path).json] == []
    assert not fill(instance)


@pytest.mark.parametrize(
    "settings", [{"masthead.media.storage": "file:///dev/null/x"}], indirect=True
)
def test_a_storage_that_refuses_images_is_reported_in_one_line(
    app: Client, instance: Instance
) -> None:
    with pytest.raises(StartError, match=r"^the pictures of the demo can't be stored: .+$"):
        fill(instance)

    assert app.get("/api/tags").json == []
