"""A feed of any text is valid XML and has the same text as the API."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feedparser
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from masthead.testing import Client, Desk
from masthead_feeds.rss import Attachment, Channel, Entry, write_rss

STRICT = etree.XMLParser(recover=False, resolve_entities=False)
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
ARTICLES = Path(__file__).with_name("articles.jsonl")

# Surrogates can't be stored, but the writer must not depend on that.
anything = st.text(st.characters(codec=None), max_size=60)
tricky = st.sampled_from(
    ["]]>", "&#0;", "&amp;", "<![CDATA[", "</item>", "\r\n", "\x0b", "\ufffe", "🦁"]
)
texts = st.lists(anything | tricky, max_size=5).map("".join)


def allowed(text: str) -> str:
    """Return the text without the characters that XML 1.0, section 2.2, excludes."""

    def is_char(c: str) -> bool:
        return c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"

    return "".join(filter(is_char, text))


def read(document: bytes) -> Any:
    assert not feedparser.parse(document).bozo
    return etree.fromstring(document, STRICT)


@pytest.mark.slow
@given(texts, texts, texts)
@example("\ud800", "\x00\x1f\x7f\x85\u2028", "a\r\nb\rc\td")
def test_parsers_read_any_text_as_it_was_written(title: str, content: str, value: str) -> None:
    entry = Entry(
        guid="urn:uuid:1",
        title=title,
        address=f"https://example.org/{value}",
        published_at=datetime(2026, 3, 1, tzinfo=UTC),
        summary=value,
        content=content,
        author=value,
        language="",
        categories=[title, value],
        attachment=Attachment(value, "image/jpeg", 1),
        elements={"x:value": value},
    )
    channel = Channel(title, value, "https://example.org", value, "en", {"x": "urn:x"})

    item = read(write_rss(channel, None, [entry])).find(".//item")

    assert (item.findtext("title") or "") == allowed(title)
    assert (item.findtext(CONTENT) or "") == allowed(content)
    assert (item.findtext("description") or "") == allowed(value)
    spaced = allowed(value).replace("\t", " ").replace("\n", " ")
    assert item.find("enclosure").get("url") == spaced


stored = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80)


@pytest.mark.slow
@settings(max_examples=40)
@given(title=stored, description=stored, words=stored)
@example(title="]]>", description="<b>&amp;", words="\U0001f981 \u202e ]]> \ufdd0 \uffff")
def test_a_feed_has_the_values_of_the_api(
    app: Client, stories: Desk, title: str, description: str, words: str
) -> None:
    content = f"<p>{html.escape(words)}</p>"
    values = {"title": f"x{title}", "description": description, "content": content}
    shown = stories.create_public(**values, toldAt="2030-01-01")

    item = read(app.get("/api/feed/stories").body).find(".//item")
    stories.delete(shown["id"])

    assert item.findtext("title") == allowed(shown["title"])
    # A blank description is replaced by the beginning of the content.
    if shown["description"]:
        assert html.unescape(item.findtext("description")) == allowed(shown["description"])
    assert item.findtext(CONTENT) == allowed(shown["content"])


def test_real_articles_are_parsed_without_errors_as_the_api_has_them(
    app: Client, stories: Desk, xml: Callable[[str], Any]
) -> None:
    lines = ARTICLES.read_text("utf-8").splitlines()
    for line in lines:
        stories.create_public(**_story(json.loads(line)))

    parsed = feedparser.parse(app.get("/api/feed/stories").body)
    items = list(xml("/api/feed/stories").iter("item"))

    shown = [stories.public_item(each["slug"]) for each in stories.public_list()]
    assert [item.findtext("title") for item in items] == [each["title"] for each in shown]
    assert [entry.link for entry in parsed.entries] == [
        f"https://www.example.org/stories/{each['slug']}" for each in shown
    ]
    for item, each in zip(items, shown, strict=True):
        assert _text(item.findtext(CONTENT)) == _text(each["content"])
        assert html.unescape(item.findtext("description")) == each["description"]
    assert len(items) == len(lines)


def _story(article: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: article[name] for name in ("title", "description", "content")}
    return {**kept, "topic": article["category"], "toldAt": article["publishedAt"]}


def _text(content: str) -> str:
    return "".join(etree.fromstring(f"<div>{content}</div>", etree.HTMLParser()).itertext())
