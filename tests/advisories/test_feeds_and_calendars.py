"""Reports about feeds, sitemaps and calendars: injected elements, invalid characters, odd dates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import icalendar
import pytest
from lxml import etree

from masthead.testing import Client, Desk

ODD = ["\x00", "\x03", "\x08", "\x0b", "\x0c", "\x1d", "\x1f", "\ufffe", "\uffff"]
INJECTED = [
    "a]]>",
    "]]><script>alert(1)</script><![CDATA[",
    "</title></item></channel></rss>",
    "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]>&b;",
    "&b; &#0; &#x1f; &amp;amp; &lt;b&gt;",
    "<?xml-stylesheet href='https://evil.example/a.xsl'?>",
    "<!-- -- -->",
    "'\" onload=alert(1) x='",
]


def parsed(app: Client, path: str) -> Any:
    """Return the root of an XML answer, which a strict parser has read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(app.get(path).body, parser)


def calendar(app: Client) -> Iterator[Any]:
    """Return the components of the calendar below its root."""
    text = app.get("/api/feed/events.ics").text
    assert "\n" not in text.replace("\r\n", "")
    yield from icalendar.Calendar.from_ical(text).subcomponents


@pytest.mark.parametrize("text", INJECTED)
def test_bottube_1953_no_text_ends_its_element(app: Client, news: Desk, text: str) -> None:
    """BoTTube issue 1953: "]]>" in a text ended the CDATA section of a feed."""
    item = news.create_public(title=f"A {text}", description=f"B {text}", category=f"C {text}")

    root = parsed(app, "/api/feed/news")
    [entry] = root.iter("item")
    assert entry.findtext("title") == f"A {text}".strip()
    assert entry.findtext("category") == f"C {text}".strip()
    assert not list(root.iter("script"))
    assert item["slug"] in parsed(app, "/sitemap.xml").xpath("string()")


def test_lemmy_4382_a_feed_has_no_invalid_character(app: Client, news: Desk) -> None:
    """Lemmy issue 4382: one control character in one post broke the feed for all readers."""
    for character in ODD:
        body = {
            "title": f"A{character}b",
            "description": f"C{character}d",
            "content": f"<p>{character}",
        }

        made = news.client.post_json("/api/staff/news", body, status=[200, 400])
        if made.status_int == 200:
            news.publish(made.json["id"])
        parsed(app, "/api/feed/news")
        parsed(app, "/sitemap.xml")


@pytest.mark.parametrize(
    "text",
    [
        "Meeting\nBEGIN:VALARM\nACTION:DISPLAY\nEND:VALARM",
        "Meeting\r\nATTENDEE:mailto:eve@example.org",
        "Meeting\rEND:VEVENT\rBEGIN:VEVENT",
        "Meeting\u2028ORGANIZER:mailto:eve@example.org",
        "Meeting\x85URL:https://evil.example",
        "a;b,c\\d\\n:e",
        "ä" * 90,
    ],
)
def test_web2py_2621_no_text_adds_a_line(app: Client, events: Desk, text: str) -> None:
    """web2py pull request 2621, ical-generator pull request 31: line ends added properties."""
    events.create_public(
        title=text, location=text, description=text, startDate="2026-05-01T18:00:00Z"
    )

    [event] = calendar(app)
    assert event.name == "VEVENT"
    assert not event.subcomponents
    allowed = {"SUMMARY", "DTSTART", "DTEND", "DTSTAMP", "UID", "URL", "DESCRIPTION", "LOCATION"}
    allowed |= {"LAST-MODIFIED", "CREATED", "SEQUENCE", "STATUS", "CATEGORIES"}
    assert set(event) <= allowed
    assert "evil.example" not in str(event["URL"])


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.999Z", None),
        ("9999-12-31", "9999-12-31"),
        ("2026-03-29T01:30:00Z", "2026-03-29T01:30:00Z"),
        ("2024-02-29", "2024-03-01"),
    ],
)
def test_cpython_13305_dates_at_the_ends_of_the_calendar(
    app: Client, events: Desk, start: str, end: str | None
) -> None:
    """CPython issue 13305: dates before the year 1000 were written without zeros."""
    item = events.create_public(startDate=start, endDate=end)

    assert item["startDate"] >= "0001"
    assert [shown["startDate"] for shown in events.public_list()] == [item["startDate"]]
    assert [event.name for event in calendar(app)] == ["VEVENT"]
    parsed(app, "/api/feed/events")
    parsed(app, "/sitemap.xml")


def test_cwe_611_a_feed_is_no_reader(app: Client, news: Desk) -> None:
    """CWE-611: addresses and entities in a text were fetched when the feed was written."""
    html = '<img src="file:///etc/hostname"><a href="http://169.254.169.254/latest">a</a>'
    news.create_public(content=html, imageUrl="http://169.254.169.254/latest/meta-data")

    text = app.get("/api/feed/news").text
    assert "file:///" not in text


def test_cwe_838_a_feed_says_its_encoding(app: Client, news: Desk) -> None:
    """CWE-838: a feed without a stated encoding was read as another one, with script in it."""
    news.create_public(title="+ADw-script+AD4-alert(1) ぁ")

    for path in ("/api/feed/news", "/sitemap.xml"):
        answer = app.get(path)
        assert answer.body.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
        assert answer.charset == "UTF-8"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.usefixtures("clock")
def test_cwe_770_a_feed_has_a_bounded_size(app: Client, news: Desk) -> None:
    """CWE-770: a reader of feeds could ask for all posts at once, with any number of them."""
    for number in range(3):
        news.create_public(title=f"A {number}")

    plain = app.get("/api/feed/news").body
    for query in ("limit=1000000", "limit=-1", "posts_per_rss=99999", "paged=2", "limit=x"):
        assert app.get(f"/api/feed/news?{query}").body == plain
