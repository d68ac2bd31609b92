"""The sitemap has the pages of the website and all published content, in parts if it is long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead import Plugin
from masthead.testing import Client, Clock, Desk
from masthead_feeds.plugin import plugin as feeds

Xml = Callable[[str], Any]
Find = Callable[..., list[str]]

SITE = "https://www.example.org"


def entries(document: Any) -> list[tuple[str, ...]]:
    """Return the values of each entry in the order of the sitemap's schema."""
    names = ["loc", "lastmod", "changefreq", "priority"]
    found = [{part.tag.rpartition("}")[2]: part.text for part in entry} for entry in document]
    return [tuple(entry.get(name, "") for name in names) for entry in found]


def test_a_sitemap_has_its_media_type_and_cache_lifetime(
    clock: Clock, app: Client, stories: Desk
) -> None:
    stories.create_public()
    clock.shift(minutes=1)

    answer = app.get("/sitemap.xml")

    assert answer.headers["Content-Type"] == "application/xml; charset=UTF-8"
    assert answer.headers["Cache-Control"] == "max-age=86400"
    for known in (
        {"If-None-Match": answer.headers["ETag"]},
        {"If-Modified-Since": answer.headers["Last-Modified"]},
    ):
        assert app.get("/sitemap.xml", headers=known).status_int == 304


def test_hook_sitemap_adds_pages_and_the_times_of_sections(
    clock: Clock, stories: Desk, shows: Desk, xml: Xml
) -> None:
    stories.create_public(title="A story")
    clock.shift(days=1)
    shows.create_public(title="A show", starts="2031-01-01")

    assert entries(xml("/sitemap.xml")) == [
        (f"{SITE}/", "2026-03-02", "daily", "1.0"),
        (f"{SITE}/stories", "2026-03-01", "weekly", "0.8"),
        (f"{SITE}/about", "2020-02-29", "weekly", "0.8"),
        (f"{SITE}/contact", "2026-03-01", "weekly", "0.8"),
        (f"{SITE}/how-to-get-here", "2020-02-29", "monthly", "0.7"),
        (f"{SITE}/stories/a-story", "2026-03-01", "monthly", "0.7"),
        (f"{SITE}/shows/a-show", "2026-03-02", "monthly", "0.7"),
    ]


def test_the_last_change_is_the_last_one_that_the_public_sees(
    clock: Clock, stories: Desk, xml: Xml, find: Find
) -> None:
    item = stories.create_public()
    clock.shift(days=1)
    stories.edit(item["id"], title="Waits for approval")
    before = find(xml("/sitemap.xml"), "//s:lastmod")

    stories.publish(item["id"])

    assert (before[0], before[-1]) == ("2026-03-01", "2026-03-01")
    after = find(xml("/sitemap.xml"), "//s:lastmod")
    assert (after[0], after[-1]) == ("2026-03-02", "2026-03-02")


def test_a_page_does_not_change_with_others(
    clock: Clock, stories: Desk, shows: Desk, xml: Xml
) -> None:
    stories.create_public(title="A story")
    shows.create_public(title="A show", starts="2031-01-01")
    clock.shift(days=1)
    item = stories.create_public(title="Another story")
    clock.shift(days=1)
    stories.as_role("admin").edit(item["id"], content="<p>Changed</p>")
    shows.create(title="A draft", starts="2031-01-01")

    assert {
        address.removeprefix(SITE): day for address, day, *_ in entries(xml("/sitemap.xml"))
    } == {
        "/": "2026-03-03",
        "/stories": "2026-03-03",
        "/about": "2020-02-29",
        "/contact": "2026-03-01",
        "/how-to-get-here": "2020-02-29",
        "/stories/a-story": "2026-03-01",
        "/stories/another-story": "2026-03-03",
        "/shows/a-show": "2026-03-01",
    }


def test_a_change_that_the_public_does_not_see_is_no_change_of_the_page(
    clock: Clock, stories: Desk, xml: Xml
) -> None:
    item = stories.create_public(title="A story")
    clock.shift(days=1)

    stories.as_role("admin").edit(item["id"], secret="Not public")

    assert entries(xml("/sitemap.xml"))[-1][:2] == (f"{SITE}/stories/a-story", "2026-03-01")


def test_a_scheduled_item_changes_when_it_appears(
    clock: Clock, stories: Desk, xml: Xml, find: Find
) -> None:
    stories.create_public(title="Later", scheduledPublishAt="2026-03-04T08:00:00Z")
    before = find(xml("/sitemap.xml"), "//s:loc")

    clock.move_to("2026-03-04T08:00:00Z")

    document = xml("/sitemap.xml")
    assert f"{SITE}/stories/later" not in before
    assert entries(document)[-1] == (f"{SITE}/stories/later", "2026-03-04", "monthly", "0.7")
    assert entries(document)[0][1] == "2026-03-04"


def test_a_short_sitemap_has_no_parts(app: Client) -> None:
    app.get("/sitemap-1.xml", status=404)


class TestParts:
    """A limit of three addresses per sitemap."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        own = {"masthead.feeds.sitemap_size": "3", "masthead.site_paths": "shows=/?show={slug}&on"}
        return {"masthead.base_url": "https://api.example.org", "masthead.site_url": SITE, **own}

    @pytest.mark.slow
    def test_a_long_sitemap_is_an_index_of_parts_that_miss_nothing(
        self, stories: Desk, shows: Desk, xml: Xml, find: Find
    ) -> None:
        for number in range(4):
            stories.create_public(title=f"Story {number}")
        for number in range(3):
            shows.create_public(title=f"Show {number}", starts="2031-01-01")

        index = xml("/sitemap.xml")
        parts = find(index, "/s:sitemapindex/s:sitemap/s:loc")
        found = [
            find(xml(part.removeprefix("https://api.example.org")), "//s:loc") for part in parts
        ]

        assert parts == [f"https://api.example.org/sitemap-{n}.xml" for n in (1, 2, 3, 4)]
        assert [len(part) for part in found] == [3, 3, 3, 3]
        assert [address for part in found for address in part] == [
            f"{SITE}/",
            f"{SITE}/stories",
            f"{SITE}/about",
            f"{SITE}/contact",
            f"{SITE}/how-to-get-here",
            *(f"{SITE}/stories/story-{n}" for n in range(4)),
            *(f"{SITE}/?show=show-{n}&on" for n in range(3)),
        ]

    def test_a_part_is_kept_as_long_as_the_whole(self, app: Client) -> None:
        answer = app.get("/sitemap-2.xml")

        assert answer.headers["Content-Type"] == "application/xml; charset=UTF-8"
        assert answer.headers["Cache-Control"] == "max-age=86400"
        known = {"If-None-Match": answer.headers["ETag"]}
        assert app.get("/sitemap-2.xml", headers=known).status_int == 304

    @pytest.mark.parametrize("number", ["3", "0", "01", "-1", "x", "9" * 30, "1%00"])
    def test_a_part_that_the_index_does_not_name_is_not_there(
        self, app: Client, number: str
    ) -> None:
        app.get(f"/sitemap-{number}.xml", status=404)


class TestBytes:
    """Addresses so long that a few fill a sitemap."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.site_paths": f"songs=/{'a' * 12_000_000}/{{slug}}"}

    @pytest.mark.slow
    def test_no_part_has_more_than_fifty_million_bytes(
        self, app: Client, songs: Desk, xml: Xml, find: Find
    ) -> None:
        for _ in range(5):
            songs.create_public()

        parts = find(xml("/sitemap.xml"), "//s:loc")
        sizes = [len(app.get(part.removeprefix("http://127.0.0.1:6543")).body) for part in parts]

        assert max(sizes) < 50_000_000
        assert sum(sizes) > 60_000_000


class TestNothing:
    """An instance without published content."""

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [feeds]

    def test_each_entry_has_all_its_parts(self, clock: Clock, xml: Xml) -> None:
        clock.move_to("2026-03-02T08:00:00Z")

        [home] = entries(xml("/sitemap.xml"))

        assert home == (f"{SITE}/", "2026-03-02", "daily", "1.0")
