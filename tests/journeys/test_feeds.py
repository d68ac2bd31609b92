"""Feeds and sitemaps of news, events and all other installed content types."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import feedparser
import pytest
from lxml import etree

from masthead.testing import Client, Clock, Desk

STRICT = etree.XMLParser(recover=False, resolve_entities=False)
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FEEDS = ("/api/feed/news", "/api/feed/events")


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.base_url": "https://api.example.org",
        "masthead.site_url": "https://www.example.org",
    }


@pytest.fixture
def desk(clock: Clock, app: Client) -> Callable[[str], Desk]:
    """Return a function for a content type's desk, used by an editor on 1 March 2026."""
    assert clock.now().year == 2026
    return lambda name: Desk(app, name).as_role("editor")


def test_news_are_listed_newest_first_with_all_their_fields(
    app: Client, desk: Callable[[str], Desk]
) -> None:
    news = desk("news")
    for day in (1, 3, 2):
        news.create_public(
            title=f"Day {day}",
            description="In short",
            content=f"<p>At length on day {day}</p>",
            category="Garden",
            publishedAt=f"2026-02-0{day}T12:00:00Z",
        )

    feed = feedparser.parse(app.get("/api/feed/news").body)

    assert not feed.bozo
    assert feed.version == "rss20"
    assert [entry.title for entry in feed.entries] == ["Day 3", "Day 2", "Day 1"]
    first = feed.entries[0]
    assert first.link == "https://www.example.org/news/day-3"
    assert first.content[0].value == "<p>At length on day 3</p>"
    assert [tag.term for tag in first.tags] == ["Garden"]
    assert parsedate_to_datetime(first.published).isoformat() == "2026-02-03T12:00:00+00:00"


def test_events_are_ordered_by_their_start_and_show_time_and_place(
    app: Client, desk: Callable[[str], Desk]
) -> None:
    events = desk("events")
    for month in ("05", "04"):
        start = f"2026-{month}-02T18:00:00Z"
        events.create_public(title=f"Month {month}", startDate=start, location="Town hall")

    feed = feedparser.parse(app.get("/api/feed/events").body)

    assert not feed.bozo
    assert [entry.title for entry in feed.entries] == ["Month 04", "Month 05"]
    assert feed.entries[0].ev_startdate == "2026-04-02T18:00:00.000Z"
    assert feed.entries[0].ev_location == "Town hall"
    # Locales write different spaces before PM.
    start, place = feed.entries[0].summary.rsplit(", ", 1)
    assert (" ".join(start.split()), place) == ("April 2, 2026, 6:00 PM UTC", "Town hall")
    assert feed.entries[0].published == "Sun, 01 Mar 2026 09:30:00 GMT"


def test_all_published_content_is_in_the_sitemap(app: Client, desk: Callable[[str], Desk]) -> None:
    desk("news").create_public(title="An article")
    desk("actions").create_public(title="An action")
    desk("events").create_public(title="An event", startDate="2026-04-02")
    desk("news").create(title="A draft")

    document = etree.fromstring(app.get("/sitemap.xml").body, STRICT)

    entries = {
        entry.findtext(f"{SITEMAP}loc"): [part.text for part in entry[1:]] for entry in document
    }
    site = "https://www.example.org"
    for path in ("/news/an-article", "/actions/an-action", "/events/an-event"):
        assert entries[site + path] == ["2026-03-01", "monthly", "0.7"]
    assert entries[f"{site}/"] == ["2026-03-01", "daily", "1.0"]
    assert not any("draft" in address for address in entries)


DOCUMENTS = (*FEEDS, "/api/feed/events.ics", "/sitemap.xml")


@pytest.mark.parametrize("path", DOCUMENTS)
@pytest.mark.parametrize(
    ("condition", "header"), [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")]
)
def test_conditional_requests_are_answered(
    clock: Clock,
    desk: Callable[[str], Desk],
    app: Client,
    path: str,
    condition: str,
    header: str,
) -> None:
    desk("news").create_public()
    clock.shift(minutes=1)

    answer = app.get(path)

    again = app.get(path, headers={condition: answer.headers[header]})

    assert (again.status_int, again.body) == (304, b"")
    assert re.fullmatch(r"max-age=(3600|86400)", again.headers["Cache-Control"])


def test_every_document_that_is_cached_has_a_date(
    clock: Clock, desk: Callable[[str], Desk], app: Client, instance: Any
) -> None:
    desk("news").create_public()
    clock.shift(minutes=1)
    paths = {
        endpoint.path
        for endpoint in instance.endpoints
        if endpoint.cacheable and isinstance(endpoint.returns, str) and "{" not in endpoint.path
    }

    assert paths >= {*DOCUMENTS, "/robots.txt"}
    for path in paths:
        date = parsedate_to_datetime(app.get(path).headers["Last-Modified"])
        assert date < clock.now()


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_change_is_in_the_next_answer_whatever_the_client_knows(
    clock: Clock, desk: Callable[[str], Desk], app: Client, path: str
) -> None:
    desk("news").create_public()
    clock.shift(minutes=1)
    known = app.get(path).headers
    desk("events").create_public(title="Changed", startDate="2026-04-02")
    desk("news").create_public(title="Changed")

    for headers in (
        {"If-None-Match": known["ETag"]},
        {"If-Modified-Since": known["Last-Modified"]},
        {"If-None-Match": known["ETag"], "If-Modified-Since": "Sun, 01 Mar 2037 00:00:00 GMT"},
    ):
        assert b"hanged" in app.get(path, headers=headers, status=200).body


def test_an_enclosure_is_served_with_its_length_and_type(
    app: Client, desk: Callable[[str], Desk]
) -> None:
    news = desk("news")
    sent = [("file", "dot.png", DOT)]
    image = news.client.post("/api/staff/upload/image", upload_files=sent).json["url"]
    news.create_public(title="An article", imageUrl=image)

    [entry] = feedparser.parse(app.get("/api/feed/news").body).entries

    [enclosure] = entry.enclosures
    served = app.get(enclosure.href.removeprefix("https://api.example.org"))
    assert served.headers["Content-Length"] == enclosure.length
    assert served.headers["Content-Type"] == enclosure.type


def test_a_section_of_the_sitemap_has_its_own_last_change(
    clock: Clock, app: Client, desk: Callable[[str], Desk]
) -> None:
    staff = desk("news").client
    person = {"name": "Ada", "role": "Treasurer", "published": True}
    staff.post_json("/api/staff/people", person)
    clock.shift(days=1)
    staff.post_json("/api/staff/people", person | {"name": "Ben", "published": False})
    desk("news").create_public(title="An article")

    document = etree.fromstring(app.get("/sitemap.xml").body, STRICT)

    found = {e.findtext(f"{SITEMAP}loc"): e.findtext(f"{SITEMAP}lastmod") for e in document}
    site = "https://www.example.org"
    assert found[f"{site}/people"] == found[f"{site}/contact"] == "2026-03-01"
    assert found[f"{site}/news"] == found[f"{site}/"] == "2026-03-02"


def test_every_feed_of_all_installed_plugins_is_valid(app: Client, instance: Any) -> None:
    paths = [e.path for e in instance.endpoints if e.name.startswith("feeds.rss.")]

    assert set(FEEDS) <= set(paths)
    assert [path for path in paths if feedparser.parse(app.get(path).body).bozo] == []
