"""Reports about content that disappears or appears at the wrong time."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from lxml import etree

from masthead.testing import Client, Clock, Desk


def test_cwe_840_an_edit_for_later_keeps_the_live_copy(clock: Clock, news: Desk) -> None:
    """CWE-840: a published page was gone until the time of its approved edit."""
    item = news.create_public(title="Before")
    news.edit(item["id"], title="After", scheduledPublishAt="2026-03-05T00:00:00Z")

    news.request(item["id"])
    news.as_role("admin").approve(item["id"])

    assert news.public_item(item["slug"])["title"] == "Before"
    clock.move_to("2026-03-05T00:00:01Z")
    assert news.public_item(item["slug"])["title"] == "After"


def test_cwe_840_a_postponed_item_waits(clock: Clock, news: Desk) -> None:
    """CWE-840: an item went public at its old time although an editor had postponed it."""
    item = news.create(title="A", scheduledPublishAt="2026-03-02T00:00:00Z")
    slug = news.publish(item["id"])["slug"]

    news.edit(item["id"], scheduledPublishAt="2026-03-09T00:00:00Z")

    clock.move_to("2026-03-03T00:00:00Z")
    news.public_item(slug, status=404)


def test_cwe_840_no_date_of_a_feed_lies_ahead(clock: Clock, app: Client, news: Desk) -> None:
    """CWE-840: readers of feeds hid or pinned an item whose date lay ahead."""
    news.create_public(title="A", publishedAt="2036-01-01T00:00:00Z")

    root = etree.fromstring(app.get("/api/feed/news").body)

    for date in root.iter("pubDate"):
        assert parsedate_to_datetime(date.text) <= clock.now()
