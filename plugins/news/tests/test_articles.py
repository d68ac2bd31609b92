"""The fields, the pages and the related items of articles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Instance, Plugin
from masthead.content.jsonl_import import content_importer
from masthead.core_plugin import plugin as core
from masthead.resources.jsonl import import_lines
from masthead.testing import Client, Clock, Desk
from masthead_news.plugin import NEWS

LISTED = {
    "id",
    "updatedAt",
    "image",
    "title",
    "slug",
    "description",
    "lang",
    "dir",
    "category",
    "imageUrl",
    "publishedAt",
    "tags",
    "author",
}
RELATED = LISTED - {"tags", "author", "updatedAt"}
STAFF = {
    "id",
    "title",
    "slug",
    "description",
    "lang",
    "dir",
    "category",
    "imageUrl",
    "publishedAt",
    "scheduledPublishAt",
    "scheduledUnpublishAt",
    "visibility",
    "published",
    "approvalStatus",
    "approvalComment",
    "approvalRequestedAt",
    "approvalRequestedBy",
    "approvalRequestedByUser",
    "approvedAt",
    "approvedBy",
    "approvedByUser",
    "rejectedAt",
    "rejectedBy",
    "rejectedByUser",
    "rejectionReason",
    "staged",
    "createdAt",
    "updatedAt",
    "createdBy",
    "editedBy",
}


def test_each_endpoint_shows_its_fields_and_no_others(desk: Desk) -> None:
    item = desk.create_public(content="<p>Text</p>", category="City")
    desk.create_public(category="City")

    assert item.keys() == STAFF | {"content", "live", "tags"}
    assert desk.list()[0].keys() == STAFF
    assert desk.public_list()[0].keys() == LISTED
    assert desk.public_item(item["slug"]).keys() == LISTED | {"content"}
    assert desk.related(item["id"])[0].keys() == RELATED


def test_a_public_page_has_fifty_articles_unless_asked_otherwise(
    desk: Desk, instance: Instance
) -> None:
    lines = [b'{"title": "Article", "publishedAt": "2026-01-01"}'] * 52
    list(import_lines(instance, content_importer(NEWS), lines, publish=True, actor=None))
    ids = sorted(item["id"] for item in desk.list())

    first = desk.client.get("/api/news")
    assert [item["id"] for item in first.json] == ids[:1:-1]
    assert first.headers["X-Total-Count"] == "52"
    assert first.headers["Link"] == '<http://127.0.0.1:6543/api/news?offset=50>; rel="next"'
    assert [item["id"] for item in desk.public_list(offset=50)] == [ids[1], ids[0]]
    assert len(desk.public_list(limit=51)) == 51
    assert len(desk.list()) == 52


def test_a_shared_category_counts_as_one_tag(
    clock: Clock, desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    a, b = (make_tag(name)["id"] for name in "ab")

    def publish(title: str, category: str | None, *tags: int) -> int:
        clock.shift(minutes=1)
        item: int = desk.create_public(title=title, category=category, tagIds=tags)["id"]
        return item

    this = publish("This", "City", a, b)
    publish("Both tags", None, a, b)
    publish("Tag and category", "City", a)
    publish("Category", "City")
    publish("Tag", "Country", b)
    publish("Nothing", "Country")

    related = [item["title"] for item in desk.related(this)]
    assert related == ["Tag and category", "Both tags", "Tag"]
    desk.edit(this, published=False)
    assert desk.related(this) == []


def test_blank_and_missing_categories_relate_no_articles(desk: Desk) -> None:
    for category in (None, None, "", "  "):
        desk.create_public(category=category)

    assert all(desk.related(item["id"]) == [] for item in desk.list())


def test_a_draft_has_a_slug(desk: Desk) -> None:
    assert desk.create(title="Clean water")["slug"] == "clean-water"


class TestDisabled:
    """An instance without the plugin doesn't know its content type."""

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [core]

    def test_its_addresses_and_its_type_are_unknown(self, app: Client) -> None:
        app.get("/api/news", status=404)
        app.as_role("admin").get("/api/staff/news", status=404)
        body = {"contentType": "news", "contentId": 1}
        error = app.as_role("admin").post_json("/api/staff/approval/request", body, status=400)
        assert error.json["error"].startswith("contentType")


def test_an_unchanged_answer_is_a_304(app: Client, desk: Desk) -> None:
    item = desk.create_public(title="One")

    for path in ("/api/news", "/api/news/one", f"/api/news/{item['id']}/related"):
        etag = app.get(path).headers["ETag"]
        assert app.get(path, headers={"If-None-Match": etag}, status=304).body == b""


def test_a_rejection_is_shown_until_approval_is_requested_again(desk: Desk) -> None:
    item = desk.create()
    desk.request(item["id"])
    desk.as_role("admin").reject(item["id"], reason="Too short")

    assert desk.list()[0]["rejectionReason"] == "Too short"
    assert desk.edit(item["id"], description="More")["rejectionReason"] == "Too short"
    desk.edit(item["id"], status=412, if_match='"1"', description="Most")
    desk.request(item["id"])

    assert desk.show(item["id"])["rejectionReason"] is None


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<p style="margin-left:-&#12;900px">x</p>', "<p>x</p>"),
        ('<p style="text-indent:-&#xC;&#12;9em">x</p>', "<p>x</p>"),
        ("<p>a&#12;b</p>", "<p>ab</p>"),
        ("<script>1</script>", ""),
        ("<!-- -->", ""),
        ("&#12;", ""),
    ],
)
def test_sanitised_content_is_the_same_when_it_is_sent_back(
    desk: Desk, html: str, kept: str
) -> None:
    item = desk.create(content=html)
    etag = desk.etag(item["id"])

    assert item["content"] == kept
    assert desk.edit(item["id"], content=item["content"]) == item
    assert desk.edit(item["id"], content=html) == item
    assert desk.etag(item["id"]) == etag
