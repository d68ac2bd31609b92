"""The feed of a content type has its newest items, in the form that feed readers expect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead import Instance, change_organisation
from masthead.testing import Client, Clock, Desk

Xml = Callable[[str], Any]
Find = Callable[..., list[str]]

SITE = "https://www.example.org"


def test_a_feed_has_its_media_type_and_cache_lifetime(
    clock: Clock, app: Client, stories: Desk
) -> None:
    stories.create_public()
    clock.shift(minutes=1)

    answer = app.get("/api/feed/stories")

    assert answer.headers["Content-Type"] == "application/rss+xml; charset=UTF-8"
    assert answer.headers["Cache-Control"] == "max-age=3600"
    for known in (
        {"If-None-Match": answer.headers["ETag"]},
        {"If-Modified-Since": answer.headers["Last-Modified"]},
    ):
        assert app.get("/api/feed/stories", headers=known).status_int == 304
    assert app.head("/api/feed/stories").headers["ETag"] == answer.headers["ETag"]


def test_a_change_is_in_the_very_next_answer(app: Client, stories: Desk) -> None:
    item = stories.create_public(title="First")
    before = app.get("/api/feed/stories")

    stories.as_role("admin").edit(item["id"], title="Second")

    after = app.get("/api/feed/stories", headers={"If-None-Match": before.headers["ETag"]})
    assert "<title>Second</title>" in after.text


def test_a_feed_without_items_is_a_feed(xml: Xml, find: Find) -> None:
    document = xml("/api/feed/stories")

    assert find(document, "/rss/@version") == ["2.0"]
    assert find(document, "/rss/channel/title") == ["Website: Our stories"]
    assert find(document, "//item | //lastBuildDate") == []


def test_an_item_shows_all_that_its_type_declares(
    stories: Desk, make_user: Any, xml: Xml, find: Find
) -> None:
    tag = stories.client.post_json("/api/staff/tags", {"name": "Big <tent>"}).json
    ada = stories.as_user(make_user("ada", role="editor", display_name="Ada & Co"))
    ada.create_public(
        title="Lions & <tigers>",
        description="Tom & <Jerry>",
        content="<p>At <b>length</b> &amp; more</p>",
        topic="Animals",
        toldAt="2026-02-03T04:05:06.789Z",
        tagIds=[tag["id"]],
    )

    document = xml("/api/feed/stories")

    assert find(document, "//item/*") == [
        "Lions & <tigers>",
        f"{SITE}/stories/lions-tigers",
        find(document, "//guid")[0],
        "Tue, 03 Feb 2026 04:05:06 GMT",
        "Ada & Co",
        "Animals",
        "Big <tent>",
        "Tom &amp; &lt;Jerry&gt;",
        "<p>At <b>length</b> &amp; more</p>",
    ]
    assert find(document, "//dc:creator") == ["Ada & Co"]
    assert find(document, "//category") == ["Animals", "Big <tent>"]
    assert find(document, "//content:encoded") == ["<p>At <b>length</b> &amp; more</p>"]


def test_a_category_that_is_a_tag_too_appears_once(stories: Desk, xml: Xml, find: Find) -> None:
    tag = stories.client.post_json("/api/staff/tags", {"name": "Animals"}).json

    stories.create_public(topic="Animals", tagIds=[tag["id"]])

    assert find(xml("/api/feed/stories"), "//category") == ["Animals"]


@pytest.mark.usefixtures("clock")
def test_an_item_without_a_date_of_its_own_has_that_of_its_publication(
    stories: Desk, xml: Xml, find: Find
) -> None:
    stories.create_public()

    assert find(xml("/api/feed/stories"), "//pubDate") == ["Sun, 01 Mar 2026 09:30:00 GMT"]


def test_no_date_lies_ahead_of_the_clock(clock: Clock, stories: Desk, xml: Xml, find: Find) -> None:
    stories.create_public(title="Past", toldAt="2020-01-01")
    clock.shift(hours=1)
    stories.create_public(title="Ahead", toldAt="2026-03-02T00:00:00Z")
    stories.create_public(title="Far ahead", toldAt="9999-12-31T23:59:59Z")

    assert find(xml("/api/feed/stories"), "//pubDate") == [
        "Sun, 01 Mar 2026 10:30:00 GMT",
        "Sun, 01 Mar 2026 10:30:00 GMT",
        "Wed, 01 Jan 2020 00:00:00 GMT",
    ]
    clock.move_to("2026-03-02T00:00:00Z")
    assert find(xml("/api/feed/stories"), "//pubDate")[:2] == [
        "Sun, 01 Mar 2026 10:30:00 GMT",
        "Mon, 02 Mar 2026 00:00:00 GMT",
    ]


def test_the_feed_begins_with_the_newest_and_ends_after_fifty(
    stories: Desk, xml: Xml, find: Find
) -> None:
    for number in range(52):
        moment = f"2026-01-{number // 2 + 1:02}T{number % 2:02}:00:00Z"
        stories.create_public(title=f"Story {number}", toldAt=moment)

    titles = find(xml("/api/feed/stories"), "//item/title")

    assert titles == [f"Story {number}" for number in range(51, 1, -1)]


@pytest.mark.slow
def test_a_feed_ordered_by_start_ends_with_the_latest_fifty(
    shows: Desk, xml: Xml, find: Find
) -> None:
    for number in range(52):
        shows.create_public(title=f"Show {number}", starts=f"{2030 + number}-01-01")

    titles = find(xml("/api/feed/shows"), "//item/title")

    assert titles == [f"Show {number}" for number in range(2, 52)]


@pytest.mark.usefixtures("clock")
def test_additional_elements_and_the_lead_have_time_and_place(
    shows: Desk, xml: Xml, find: Find
) -> None:
    shows.create_public(
        description="Come",
        content="<p>All</p>",
        starts="2026-03-28T09:30:00Z",
        ends="2026-03-28T11:00:00Z",
        tent="Big & <red>",
    )
    shows.create_public(title="Later", starts="2031-01-01")

    document = xml("/api/feed/shows")

    lead = "March 28, 2026, 9:30 AM – 11:00 AM UTC, Big &amp; &lt;red&gt;"
    assert find(document, "//item[1]/ev:*") == [
        "2026-03-28T09:30:00.000Z",
        "2026-03-28T11:00:00.000Z",
        "Big & <red>",
    ]
    assert find(document, "//item[1]/description") == [f"{lead}<br>Come"]
    assert find(document, "//item[1]/content:encoded") == [f"<p>{lead}</p><p>All</p>"]
    assert find(document, "//item[2]/ev:*") == ["2031-01-01T00:00:00.000Z"]
    assert find(document, "//item[2]/description") == ["January 1, 2031, 12:00 AM UTC"]
    assert find(document, "//pubDate") == ["Sun, 01 Mar 2026 09:30:00 GMT"] * 2


@pytest.mark.parametrize(
    ("picture", "sent"),
    [
        ("/api/images/images/1.jpg", True),
        ("https://api.example.org/api/images/images/1.jpg", True),
        ("/api/images/images/1.jpg?w=640", True),
        ("https://api.example.org/api/images/images/1.jpg?w=640#x", True),
        ("/api/images/images/2.jpg", False),
        ("/1.jpg", False),
        ("https://elsewhere.example/api/images/images/1.jpg", False),
        (None, False),
    ],
)
def test_hook_image_info_makes_an_image_the_enclosure_of_its_item(
    stories: Desk, xml: Xml, find: Find, picture: str | None, sent: bool
) -> None:
    stories.create_public(picture=picture)

    document = xml("/api/feed/stories")

    enclosure = ["https://api.example.org/api/images/images/1.jpg", "48213", "image/jpeg"]
    assert find(document, "//enclosure/@*") == (enclosure if sent else [])


@pytest.mark.parametrize("missing", ["file", "fileType", "fileSize", None])
def test_a_file_is_the_enclosure_if_type_and_length_are_known(
    songs: Desk, xml: Xml, find: Find, missing: str | None
) -> None:
    values = {"file": "/songs/1.mp3", "fileType": "audio/mpeg", "fileSize": 7_654_321}
    songs.create_public(**{name: value for name, value in values.items() if name != missing})

    document = xml("/api/feed/songs")

    enclosure = [f"{SITE}/songs/1.mp3", "7654321", "audio/mpeg"]
    assert find(document, "//enclosure/@*") == ([] if missing else enclosure)


def test_a_guid_stays_when_other_values_change(
    clock: Clock, stories: Desk, xml: Xml, find: Find
) -> None:
    item, other = stories.create_public(title="First"), stories.create_public(title="Other")
    before = find(xml("/api/feed/stories"), "//guid")
    clock.shift(days=3)

    for flag in (False, True):
        stories.as_role("admin").edit(
            item["id"], title="Second", published=flag, toldAt="2027-01-01"
        )

    document = xml("/api/feed/stories")
    assert find(document, "//item/title") == ["Second", "Other"]
    assert sorted(find(document, "//guid")) == sorted(before)
    assert len(set(before)) == 2
    assert find(document, "//guid/@isPermaLink") == ["false"] * 2
    assert item["id"] != other["id"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ('<a href="/about">', f'<a href="{SITE}/about">'),
        ('<a href="other?a=1&amp;b=2">', f'<a href="{SITE}/stories/other?a=1&amp;b=2">'),
        ('<a href="#note">', f'<a href="{SITE}/stories/a-title#note">'),
        ('<a href="../x">', f'<a href="{SITE}/x">'),
        ('<a href="//example.com/x">', '<a href="https://example.com/x">'),
        ('<a href="http://example.com/?q=%20">', '<a href="http://example.com/?q=%20">'),
        ('<a href="mailto:ada@example.org">', '<a href="mailto:ada@example.org">'),
        ('<a title="a href=" href="/x">', f'<a title="a href=" href="{SITE}/x">'),
        (
            '<img src="/api/images/images/1.jpg">',
            '<img src="https://api.example.org/api/images/images/1.jpg">',
        ),
        ('<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'),
        (
            '<img srcset="/a.jpg, b,c.jpg 2x,  http://example.com/d 3x">',
            f'<img srcset="{SITE}/a.jpg, {SITE}/stories/b,c.jpg 2x,  http://example.com/d 3x">',
        ),
        (
            '<video poster="/p.jpg" src="/v.mp4">',
            f'<video poster="{SITE}/p.jpg" src="{SITE}/v.mp4">',
        ),
        ('<blockquote cite="/x">', f'<blockquote cite="{SITE}/x">'),
        ('<p title="/x">', '<p title="/x">'),
        ('href="/x" &lt;a href="/y"', 'href="/x" &lt;a href="/y"'),
    ],
)
def test_addresses_in_content_become_absolute(
    stories: Desk, xml: Xml, find: Find, given: str, shown: str
) -> None:
    stories.create_public(content=given)

    [content] = find(xml("/api/feed/stories"), "//content:encoded")

    assert content.startswith(shown)


def test_an_edit_that_waits_for_approval_is_not_in_the_feed(app: Client, stories: Desk) -> None:
    item = stories.create_public(title="Seen")
    before = app.get("/api/feed/stories").body

    stories.edit(item["id"], title="Not seen", content="<p>Not seen</p>", picture="/not-seen")

    assert app.get("/api/feed/stories").body == before


def test_only_types_that_declare_a_feed_have_one(app: Client) -> None:
    app.get("/api/feed/rules", status=404)
    app.get("/api/feed/nothing", status=404)
    app.get("/api/feed", status=404)


class TestSettings:
    """Feeds with other settings and paths."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {
            "masthead.base_url": "https://example.org/api-more",
            "masthead.site_paths": "stories=/read?it={slug}&now",
            "masthead.feeds.title": "Fair & <square>",
            "masthead.feeds.description": "All about “it”",
            "masthead.feeds.language": "en-GB",
        }

    def test_the_feed_calls_itself_as_settings_say(
        self, stories: Desk, xml: Xml, find: Find
    ) -> None:
        stories.create_public(content='<a href="/api/x">x</a>')

        document = xml("/api/feed/stories")

        base = "https://example.org/api-more"
        assert find(document, "/rss/channel/title") == ["Fair & <square>: Our stories"]
        assert find(document, "/rss/channel/link") == [f"{base}/stories"]
        assert find(document, "/rss/channel/description") == ["All about “it”"]
        assert find(document, "/rss/channel/language") == ["en-GB"]
        assert find(document, "//atom:link/@href") == [f"{base}/api/feed/stories"]
        assert find(document, "//atom:link/@rel") == ["self"]
        assert find(document, "//item/link") == [f"{base}/read?it=a-title&now"]
        assert find(document, "//content:encoded") == [f'<a href="{base}/api/x">x</a>']

    def test_a_type_without_a_page_of_its_own_leads_to_the_home_page(
        self, xml: Xml, find: Find
    ) -> None:
        document = xml("/api/feed/shows")

        assert find(document, "/rss/channel/title") == ["Fair & <square>: Shows"]
        assert find(document, "/rss/channel/link") == ["https://example.org/api-more/"]


def test_the_facts_about_the_organisation_override_the_settings(
    shows: Desk, xml: Xml, find: Find, instance: Instance
) -> None:
    shows.create_public(starts="2027-05-02T18:30Z", ends="2027-05-03T20:00Z")
    with instance.database.session() as session, session.begin():
        facts = {"name": "Alder", "tagline": "Mending", "language": "de"}
        change_organisation(session, {**facts, "timeZone": "Europe/Berlin"})

    document = xml("/api/feed/shows")

    assert find(document, "/rss/channel/title") == ["Alder: Shows"]
    assert find(document, "/rss/channel/description") == ["Mending"]
    assert find(document, "/rss/channel/language") == ["de"]
    lead = "2. Mai 2027, 20:30 – 3. Mai 2027, 22:00 MESZ"
    assert find(document, "//item/description") == [lead]
