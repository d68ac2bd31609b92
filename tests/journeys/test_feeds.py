"""Feeds and sitemaps of news, events and all other installed content types."""

from __future__ import annotations

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
    assert feed.entries[0].summary == "2026-04-02 18:00 UTC, Town hall"
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


@pytest.mark.parametrize("path", [*FEEDS, "/sitemap.xml"])
def test_conditional_requests_are_answered(app: Client, path: str) -> None:
    answer = app.get(path)

    again = app.get(path, headers={"If-None-Match": answer.headers["ETag"]})

    assert (again.status_int, again.body) == (304, b"")
    assert re.fullmatch(r"max-age=(3600|86400)", again.headers["Cache-Control"])


def test_every_feed_of_all_installed_plugins_is_valid(app: Client, instance: Any) -> None:
    paths = [e.path for e in instance.endpoints if e.name.startswith("feeds.rss.")]

    assert set(FEEDS) <= set(paths)
    assert [path for path in paths if feedparser.parse(app.get(path).body).bozo] == []
