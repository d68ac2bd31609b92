"""The import of Ghost exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from masthead import Invalid
from masthead_importers.ghost.export import GhostExport
from masthead_importers.report import Report

pytestmark = pytest.mark.any_database

MoveIn = Callable[..., Report]
Read = Callable[..., Any]
Write = Callable[..., Path]


def post(
    number: int, title: str, html: str | None = "<p>Text</p>", **values: Any
) -> dict[str, Any]:
    given = {
        "id": f"id{number}",
        "title": title,
        "slug": title.lower(),
        "html": html,
        "type": "post",
        "status": "published",
        "visibility": "public",
        "published_at": "2024-05-01T10:00:00.000Z",
    }
    return given | values


def ghost(*posts: dict[str, Any], wrapped: bool = True, **tables: Any) -> str:
    database = {"meta": {"version": "5.0"}, "data": {"posts": list(posts), **tables}}
    return json.dumps({"db": [database]} if wrapped else database)


@pytest.fixture
def do_import(move_in: MoveIn, export: Write) -> Callable[..., Report]:
    def run(*posts: dict[str, Any], tables: Any = None, **options: Any) -> Report:
        return move_in(GhostExport([export(ghost(*posts, **(tables or {})), "g.json")]), **options)

    return run


@pytest.mark.parametrize("wrapped", [True, False])
def test_posts_and_pages_arrive_with_tags_authors_and_images(
    move_in: MoveIn, export: Write, read: Read, hooks: Any, wrapped: bool
) -> None:
    image = export(b"\x89PNG\r\n\x1a\n1", "images/2024/tree.png")
    tables = {
        "tags": [{"id": n, "name": name} for n, name in enumerate(("Garden", "Tea", "#hidden"))],
        "posts_tags": [
            {"post_id": "id1", "tag_id": number, "sort_order": order}
            for number, order in ((1, 1), (0, 0), (2, 2))
        ],
        "users": [{"id": "u1", "name": "Rosa Moss", "slug": "rosa", "email": "r@old.example"}],
        "posts_authors": [{"post_id": "id1", "author_id": "u1"}],
        "posts_meta": [{"post_id": "id1", "feature_image_alt": "A tree"}],
    }
    html = (
        '<p><a href="__GHOST_URL__/two/#x">x</a>'
        '<img src="__GHOST_URL__/content/images/size/w600/2024/tree.png"></p>'
    )
    picture = "__GHOST_URL__/content/images/2024/tree.png"
    one = post(1, "One", html, feature_image=picture, custom_excerpt="Short")
    content = ghost(one, post(2, "Two", type="page"), wrapped=wrapped, **tables)

    report = move_in(
        GhostExport([export(content, "g.json")]), media=image.parents[1], create_authors=True
    )

    [item] = read("/api/news")
    assert not report.failed
    assert (item["category"], [tag["name"] for tag in item["tags"]]) == ("Garden", ["Tea"])
    assert (item["description"], item["author"]) == ("Short", {"displayName": "Rosa Moss"})
    assert hooks.images == {item["imageUrl"]: "A tree"}
    assert read("/api/news/one")["content"] == (
        f'<p><a href="/two#x">x</a><img src="{item["imageUrl"]}"></p>'
    )
    assert [page["slug"] for page in read("/api/pages")] == ["two"]
    assert {"from": "/one", "to": "/news/one"} in read("/api/redirects")


def test_only_public_posts_are_published(do_import: Callable[..., Report], read: Read) -> None:
    report = do_import(
        post(1, "Public"),
        post(2, "Members", visibility="members"),
        post(3, "Paid", visibility="paid"),
        post(4, "Tiers", visibility="tiers"),
        post(5, "Draft", status="draft", published_at=None),
        post(6, "Sent", status="sent"),
        post(7, "Later", status="scheduled", published_at="2199-01-01T00:00:00.000Z"),
    )

    assert [item["title"] for item in read("/api/news")] == ["Public"]
    assert report.outcomes["news"]["imported"] == 7
    assert "warning: an item for members becomes a draft (3)" in list(report.lines())


def test_old_times_in_milliseconds_and_old_pages_are_read(
    do_import: Callable[..., Report], read: Read
) -> None:
    do_import(post(1, "One", published_at=1388805572000), post(2, "Two", type=None, page=1))

    assert read("/api/news")[0]["publishedAt"] == "2014-01-04T03:19:32.000Z"
    assert [page["title"] for page in read("/api/pages")] == ["Two"]


def text(value: str, bits: int = 0) -> dict[str, Any]:
    return {"type": "extended-text", "text": value, "format": bits}


def node(kind: str, *children: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"type": kind, "children": list(children), **values}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nodes", "html"),
    [
        (
            [node("paragraph", text("a<b ", 3), {"type": "linebreak"}, text("c", 16))],
            "<p><em><strong>a&lt;b </strong></em><br><code>c</code></p>",
        ),
        (
            [node("extended-heading", text("Head"), tag="h3"), {"type": "horizontalrule"}],
            "<h3>Head</h3><hr>",
        ),
        (
            [node("list", node("listitem", text("x")), listType="number")],
            "<ol><li>x</li></ol>",
        ),
        (
            [node("paragraph", node("link", text("x"), url="https://a.example/?a=1&b=2"))],
            '<p><a href="https://a.example/?a=1&amp;b=2">x</a></p>',
        ),
        (
            [
                {
                    "type": "image",
                    "src": "/i.png",
                    "alt": "A",
                    "caption": "<b>C</b>",
                }
            ],
            '<figure><img src="/i.png" alt="A"><figcaption><b>C</b></figcaption></figure>',
        ),
        ([{"type": "markdown", "markdown": "# Hi\n\n*you*"}], "<h1>Hi</h1>\n<p><em>you</em></p>"),
        ([{"type": "codeblock", "code": "a < b"}], "<pre><code>a &lt; b</code></pre>"),
        ([{"type": "html", "html": "<u>x</u><script>y()</script>"}], "<u>x</u>"),
        ([node("signup"), node("paragraph", text("x"))], "<p>x</p>"),
        (["nonsense", {"type": 3}, {"children": 7}], ""),
    ],
)
def test_lexical_content_becomes_html(
    do_import: Callable[..., Report], read: Read, nodes: Any, html: str
) -> None:
    lexical = json.dumps({"root": {"children": nodes}})

    do_import(post(1, "One", None, lexical=lexical))

    assert (read("/api/news/one")["content"] or "") == html


@pytest.mark.slow
def test_mobiledoc_content_becomes_html(do_import: Callable[..., Report], read: Read) -> None:
    mobiledoc = {
        "version": "0.3.1",
        "atoms": [["soft-return", "", {}]],
        "cards": [["image", {"src": "https://a.example/i.png"}], ["hr", {}], ["product", {}]],
        "markups": [["strong"], ["a", ["href", "https://a.example/"]]],
        "sections": [
            [1, "h2", [[0, [], 0, "Head"]]],
            [1, "p", [[0, [0], 1, "a<b"], [1, [], 0, 0], [0, [1], 1, "link"]]],
            [3, "ul", [[[0, [], 0, "x"]]]],
            *([10, 0], [10, 1], [10, 2], [10, 9], [1], "nonsense"),
        ],
    }

    report = do_import(post(1, "One", None, mobiledoc=json.dumps(mobiledoc)))

    assert read("/api/news/one")["content"] == (
        '<h2>Head</h2><p><strong>a&lt;b</strong><br><a href="https://a.example/">link</a></p>'
        '<ul><li>x</li></ul><figure><img src="https://a.example/i.png" alt=""></figure><hr>'
    )
    assert "warning: a part of an unknown kind is removed: product (1)" in list(report.lines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "g.json is a JSON array, not a Ghost export"),
        ("<rss>", "g.json is XML, not a Ghost export"),
        ('{"db": []}', "g.json is JSON, not a Ghost export"),
        ('{"db": [{"data": {"posts": 1}}]}', "g.json is JSON, not a Ghost export"),
        ('{"db": [', "g.json is damaged: Expecting value: line 1 column 9 (char 8)"),
        ('{"a":' * 100_000, "g.json is damaged: "),
        ("", "g.json is empty, not a Ghost export"),
    ],
)
def test_other_files_are_named_in_one_line(
    move_in: MoveIn, export: Write, content: str, message: str
) -> None:
    with pytest.raises(Invalid) as refused:
        move_in(GhostExport([export(content, "g.json")]))

    assert refused.value.message.startswith(message)
    assert "\n" not in refused.value.message
