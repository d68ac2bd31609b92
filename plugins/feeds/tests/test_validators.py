"""Feeds meet the rules of the validators of the W3C and of the RSS Advisory Board.

The rules are those of the validators' source, for the elements that the feeds have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

import feedparser
import pytest
from lxml import etree

from masthead.testing import Client, Desk

PLAIN = ("title", "link", "guid", "category", "dc:creator", "description")
URI = re.compile(
    r"https?://([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+(:\d+)?(/[0-9a-zA-Z;/?:@&=+$.\-_!~*'()%,#]*)?"
)
MEDIA_TYPE = re.compile(r"[^\s()<>,;:\\\"/\[\]?=]+/[^\s()<>,;:\\\"/\[\]?=]+")
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
TITLES = [
    "R&D",
    "Fish &amp; chips",
    "a <b>bold</b> title",
    "1 < 2 > 0",
    "&#38;",
    '"it\'s"',
    "&lt;p&gt;",
]


def problems(body: bytes) -> Iterator[str]:
    """Yield what a validator reports about a feed."""
    [channel] = etree.fromstring(body)
    ids = [guid.text for guid in channel.iter("guid")]
    if len(set(ids)) < len(ids):
        yield "guids are not unique"
    for element in ("title", "link", "description"):
        if len(channel.findall(element)) != 1:
            yield f"the channel needs one {element}"
    for item in channel.iter("item"):
        yield from problems_of_item(item)
    # Plain text has numbers for markup, as names would be HTML for some readers.
    for name, text in re.findall(rb"<(title|category|dc:creator|guid)\b[^>]*>([^<]*)</", body):
        if re.search(rb"&(amp|lt|gt|quot|apos);", text):
            yield f"{name.decode()} has a named entity"


def problems_of_item(item: Any) -> Iterator[str]:
    names = [child.tag for child in item]
    for once in ("title", "link", "description", "pubDate", "guid", "enclosure", CONTENT):
        if names.count(once) > 1:
            yield f"{once} is repeated"
    if CONTENT in names and "description" not in names[: names.index(CONTENT)]:
        yield "a description is needed before content:encoded"
    for enclosure in item.iter("enclosure"):
        yield from problems_of_enclosure(dict(enclosure.attrib))
    if not URI.fullmatch(item.findtext("link")):
        yield f"{item.findtext('link')} is no full address"
    if parsedate_to_datetime(item.findtext("pubDate")).tzinfo is None:
        yield "the date has no zone"
    if not all(category.text for category in item.iter("category")):
        yield "a category is blank"


def problems_of_enclosure(found: dict[str, str]) -> Iterator[str]:
    rules = {"url": URI, "type": MEDIA_TYPE, "length": re.compile(r"[1-9]\d*")}
    if found.keys() != rules.keys():
        yield "an enclosure needs url, length and type"
    for name, value in found.items():
        if not rules[name].fullmatch(value):
            yield f"{value} is no {name} of an enclosure"


@pytest.mark.parametrize("title", TITLES)
def test_plain_text_is_read_as_it_was_written(app: Client, stories: Desk, title: str) -> None:
    tag = stories.client.post_json("/api/staff/tags", {"name": title}).json
    stories.create_public(title=title, topic=f"{title}!", description=title, tagIds=[tag["id"]])

    body = app.get("/api/feed/stories").body

    assert list(problems(body)) == []
    [item] = etree.fromstring(body).iter("item")
    assert item.findtext("title") == title
    assert [each.text for each in item.iter("category")] == [f"{title}!", title]
    # The description is HTML: its text is escaped once for HTML and once for XML.
    assert etree.HTML(item.findtext("description")).xpath("string()") == title
    [read] = feedparser.parse(body).entries
    assert [each.term for each in read.tags] == [f"{title}!", title]


@pytest.mark.parametrize(
    ("file", "url"),
    [
        ("https://example.com/a&b.mp3?c=1&d=2", "https://example.com/a&b.mp3?c=1&d=2"),
        ("https://example.com/Übung 1.mp3", "https://example.com/%C3%9Cbung%201.mp3"),
        ("https://example.com/a%20b.mp3", "https://example.com/a%20b.mp3"),
        ("https://bücher.example/[1].mp3", "https://xn--bcher-kva.example/%5B1%5D.mp3"),
        ("http://example.com:8080/x.mp3#t=10", "http://example.com:8080/x.mp3"),
        ("/songs/ä.mp3", "https://www.example.org/songs/%C3%A4.mp3"),
        ("mailto:ada@example.org", None),
    ],
)
def test_an_enclosure_has_an_address_of_http_in_ascii(
    app: Client, songs: Desk, file: str, url: str | None
) -> None:
    songs.create_public(file=file, fileType="audio/mpeg", fileSize=7)

    body = app.get("/api/feed/songs").body

    assert list(problems(body)) == []
    assert etree.fromstring(body).xpath("//enclosure/@url") == ([url] if url else [])
    if url:
        [link] = feedparser.parse(body).entries[0].enclosures
        assert (link.href, link.type, link.length) == (url, "audio/mpeg", "7")


@pytest.mark.parametrize(
    "media_type", ["audio", "audio/", "/mpeg", "an mp3", "a/b/c", "a/b; c", "<a/b>"]
)
def test_a_file_without_a_media_type_is_no_enclosure(
    app: Client, songs: Desk, media_type: str
) -> None:
    songs.create_public(file="/songs/1.mp3", fileType=media_type, fileSize=7)

    body = app.get("/api/feed/songs").body

    assert list(problems(body)) == []
    assert etree.fromstring(body).xpath("//enclosure") == []


def test_content_without_a_description_is_described_by_its_beginning(
    app: Client, stories: Desk
) -> None:
    content = "<p>Tom &amp; <b>Jerry</b></p>" + "<p>word word</p>" * 100
    stories.create_public(content=content)
    stories.create_public(title="Neither")

    body = app.get("/api/feed/stories").body

    assert list(problems(body)) == []
    with_content, without = sorted(etree.fromstring(body).iter("item"), key=len, reverse=True)
    text = with_content.findtext("description")
    assert text.startswith("Tom &amp; Jerry word word")
    assert text.endswith("word …")
    assert len(text) < 310
    assert without.find("description") is None


def test_content_without_blanks_is_described_by_its_beginning(app: Client, stories: Desk) -> None:
    stories.create_public(content="<p>An " + "水を守る" * 100 + "</p>")

    [item] = etree.fromstring(app.get("/api/feed/stories").body).iter("item")

    text = item.findtext("description")
    assert text.startswith("An 水を守る水を守る")
    assert text.endswith(" …")
    assert 290 < len(text) < 310


def test_a_feed_with_everything_has_no_problem(app: Client, stories: Desk, shows: Desk) -> None:
    for number in range(3):
        stories.create_public(
            title=f"Lions & <tigers> {number}",
            description="Tom & <Jerry>",
            content='<p>At <b>length</b> &amp; <a href="/more?a=1&amp;b=2">more</a></p>',
            topic="R&D",
            picture="/api/images/images/1.jpg?w=640",
        )
        shows.create_public(title=f"Show & {number}", starts="2031-01-01", tent="Big & <red>")

    for name in ("stories", "shows"):
        body = app.get(f"/api/feed/{name}").body
        assert list(problems(body)) == []
        assert not feedparser.parse(body).bozo
