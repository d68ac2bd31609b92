"""The search in all content types: hits, ranks, snippets and counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.content import site_search
from masthead.testing import Client, Desk

MakeTag = Callable[[str], Any]


def find(app: Client, **query: Any) -> list[tuple[str, str]]:
    items = app.get("/api/search", query).json["items"]
    return [(item["type"], item["title"]) for item in items]


def counts(app: Client, **query: Any) -> dict[str, int]:
    types = app.get("/api/search", query).json["types"]
    return {each["type"]: each["count"] for each in types}


@pytest.fixture
def _content(toys: Desk, memos: Desk, make_tag: MakeTag) -> None:
    """Create items of both types in which a word stands at different places."""
    tag = make_tag("Garden")["id"]
    memos.create_public(title="Minutes", content="<p>We met at the <b>river</b>.</p>")
    memos.create_public(title="Notes", description="A walk along the river")
    toys.create_public(title="Riverboat", tagIds=[tag])
    toys.create_public(title="A river of glass", maker="Ada")
    toys.create(title="A hidden river")


@pytest.mark.usefixtures("_content")
def test_hits_of_all_types_are_ranked_and_counted(app: Client) -> None:
    answer = app.get("/api/search?q=river")

    assert find(app, q="river") == [
        ("toys", "A river of glass"),
        ("toys", "Riverboat"),
        ("memos", "Notes"),
        ("memos", "Minutes"),
    ]
    assert [item["rank"] for item in answer.json["items"]] == [1, 0.8, 0.5, 0.2]
    assert counts(app, q="river") == {"toys": 2, "memos": 2, "offers": 0, "sales": 0}
    assert answer.headers["X-Total-Count"] == "4"
    first = answer.json["items"][0]
    assert (first["slug"], first["url"]) == (
        "a-river-of-glass",
        "http://127.0.0.1:6543/toys/a-river-of-glass",
    )


@pytest.mark.usefixtures("_content")
def test_types_and_tag_choose_among_the_hits(app: Client) -> None:
    assert find(app, q="river", types="memos") == [("memos", "Notes"), ("memos", "Minutes")]
    assert counts(app, q="river", types="memos") == {"toys": 2, "memos": 2, "offers": 0, "sales": 0}
    assert find(app, q="river", tag="garden") == [("toys", "Riverboat")]
    assert counts(app, q="river", tag="garden") == {"toys": 1, "memos": 0, "offers": 0, "sales": 0}
    assert app.get("/api/search?q=river&types=pages", status=400).json["error"] == (
        "types: Must be one of toys, memos, offers, sales"
    )


@pytest.mark.usefixtures("_content")
@pytest.mark.parametrize("most", [1_000, 1])
def test_pages_have_each_hit_once(app: Client, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_search, "MOST_RANKED", most)
    every = find(app, q="river", limit=4)

    pages = [find(app, q="river", limit=1, offset=n) for n in range(5)]

    assert sorted(every) == sorted([hit for page in pages for hit in page])
    assert [len(page) for page in pages] == [1, 1, 1, 1, 0]
    assert 'rel="next"' in app.get("/api/search?q=river&limit=2").headers["Link"]


@pytest.mark.parametrize(
    ("words", "text", "snippet"),
    [
        ("river", "The River & <its> banks", "The <mark>River</mark> &amp; &lt;its&gt; banks"),
        ("cafe riv", "Café at the rivers", "<mark>Café</mark> at the <mark>rivers</mark>"),
        ("川そう", "朝の川そうじです", "朝の<mark>川そう</mark>じです"),
        ("川", "朝の川そうじと川", "朝の<mark>川</mark>そうじと<mark>川</mark>"),
        ("ada", "No name here", "No name here"),
        ("x", "</mark><script>x</script>", None),
    ],
)
def test_a_snippet_marks_the_words_and_escapes_the_rest(
    app: Client, toys: Desk, words: str, text: str, snippet: str | None
) -> None:
    toys.create_public(title="A toy", description=text, maker="Ada", note="Ada")
    toys.create_public(title=f"Another {words}", description=text)

    shown = [item["snippet"] for item in app.get("/api/search", {"q": words}).json["items"]]

    expected = snippet or "&lt;/mark&gt;&lt;script&gt;<mark>x</mark>&lt;/script&gt;"
    assert set(shown) == {expected}


def test_a_snippet_of_a_long_text_is_the_part_with_the_word(app: Client, toys: Desk) -> None:
    toys.create_public(title="A toy", content=f"<p>{'word ' * 300}river {'word ' * 300}</p>")

    [item] = app.get("/api/search?q=river").json["items"]

    assert "<mark>river</mark>" in item["snippet"]
    assert item["snippet"].startswith("…word")
    assert item["snippet"].endswith("word…")
    assert len(item["snippet"]) < 250


@pytest.mark.parametrize("words", ["", "  ", "!?", "unknown"])
def test_a_search_for_nothing_finds_nothing(app: Client, toys: Desk, words: str) -> None:
    toys.create_public()

    answer = app.get("/api/search", {"q": words})

    assert answer.json == {
        "items": [],
        "types": [{"type": name, "count": 0} for name in ("toys", "memos", "offers", "sales")],
    }
    assert answer.headers["X-Total-Count"] == "0"
