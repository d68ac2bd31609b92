"""Reports about content that became public too early, in part, or by a side entrance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk

SECRET = "Qzhidden"


@pytest.fixture
def hidden(news: Desk) -> Any:
    """A draft whose text no visitor may see."""
    return news.create(
        title=f"{SECRET} title",
        description=f"{SECRET} description",
        content=f"<p>{SECRET} content</p>",
        category=f"{SECRET} category",
    )


@pytest.fixture
def public_answers(app: Client) -> Callable[[str], str]:
    """Return a function that returns the text of all public answers, with a query."""

    def read(query: str = "") -> str:
        paths = ["/api/news", "/api/feed/news", "/sitemap.xml", "/api/tags", "/api/navigation"]
        answers = [app.get(path + query, status="*") for path in paths]
        return "".join(f"{answer.headers}{answer.text}" for answer in answers)

    return read


def test_cve_2019_17671_no_parameter_shows_drafts(
    app: Client, hidden: Any, public_answers: Callable[[str], str]
) -> None:
    """CVE-2019-17671 (WordPress): the parameters static and order listed private posts."""
    queries = ["static=1&order=asc", "preview=true", "draft=1", "status=draft", "context=edit"]
    queries += ["publicationState=preview", "approvalStatus=pending", "published=0", "show=all"]
    queries += [
        "version=draft",
        "staged=true",
        "includeUnpublished=1",
        "_format=json&unpublished=1",
    ]

    for query in queries:
        assert SECRET not in public_answers(f"?{query}")
        app.get(f"/api/news/{hidden['id']}?{query}", status=404)
        app.get(f"/api/news/{SECRET.lower()}-title?{query}", status=404)
        assert app.get(f"/api/news/{hidden['id']}/related?{query}").json == []


def test_cve_2020_11028_unpublished_posts_are_gone_everywhere(
    news: Desk, public_answers: Callable[[str], str]
) -> None:
    """CVE-2020-11028 (WordPress): private posts that had been public could be read again."""
    item = news.create_public(title=f"{SECRET} title")
    assert SECRET in public_answers("")

    news.as_role("admin").edit(item["id"], published=False)

    assert SECRET not in public_answers("")
    news.public_item(item["slug"], status=404)
    assert news.public_list(search=SECRET) == []


def test_cwe_203_a_search_does_not_find_what_it_does_not_show(
    app: Client, hidden: Any, news: Desk
) -> None:
    """CWE-203: the number of results told which words hidden posts contain."""
    item = news.create_public(title="Shown", content="<p>Shown</p>")
    news.edit(item["id"], content=f"<p>{SECRET} edit</p>")

    assert hidden["title"].startswith(SECRET)
    for word in (SECRET, SECRET[:4], SECRET.lower(), f"{SECRET} edit", f"Shown {SECRET}"):
        answer = app.get("/api/news", {"search": word})
        assert (answer.json, answer.headers["X-Total-Count"]) == ([], "0")


def test_cve_2023_39999_tags_and_counts_show_no_drafts(
    app: Client, news: Desk, admin: Client
) -> None:
    """CVE-2023-39999 (WordPress): comments on private posts were public."""
    tag = admin.post_json("/api/staff/tags", {"name": "Water"}).json
    news.create(title=SECRET, tagIds=[tag["id"]])
    shown = news.create_public(title="Shown", tagIds=[tag["id"]])

    answer = app.get("/api/news", {"tag": tag["slug"]})

    assert [item["id"] for item in answer.json] == [shown["id"]]
    assert answer.headers["X-Total-Count"] == "1"
    assert app.get(f"/api/news/{shown['id']}/related").json == []


def test_cwe_203_a_public_list_does_not_change_with_a_draft(
    app: Client, news: Desk, hidden: Any
) -> None:
    """CWE-203: a change of a hidden item changed a list that everybody can read."""
    news.create_public()
    before = app.get("/api/news").body

    news.edit(hidden["id"], title=f"{SECRET} again")

    assert app.get("/api/news").body == before


def test_cve_2023_5692_a_part_of_an_address_finds_nothing(app: Client, news: Desk) -> None:
    """CVE-2023-5692 (WordPress): the start of an address redirected to the hidden post."""
    item = news.create_public(title=f"{SECRET} and a long title")
    news.as_role("admin").edit(item["id"], published=False)

    for end in range(1, len(item["slug"]) + 1):
        app.get(f"/api/news/{item['slug'][:end]}", status=404)


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-29T02:30:00+01:00",
        "2026-03-29T03:30:00+02:00",
        "2026-10-25T02:30:00+02:00",
        "2026-10-25T02:30:00+01:00",
        "2026-06-01T00:00:00-12:00",
        "2026-06-01T00:00:00+14:00",
        "2028-02-29T23:59:59.999Z",
    ],
)
def test_ghost_11749_scheduled_posts_appear_at_their_time(
    clock: Clock, news: Desk, moment: str
) -> None:
    """Ghost issue 11749, Gutenberg issue 3271: posts appeared hours early or late."""
    item = news.create(title=SECRET, scheduledPublishAt=moment)
    news.publish(item["id"])
    slug = news.show(item["id"])["slug"]

    clock.move_to(moment)
    clock.shift(milliseconds=-1)
    news.public_item(slug, status=404)
    assert news.public_list() == []
    clock.shift(milliseconds=1)
    assert news.public_item(slug)["title"] == SECRET
    assert [each["title"] for each in news.public_list()] == [SECRET]


def test_cwe_200_scheduled_posts_are_in_no_feed_before_their_time(
    clock: Clock, news: Desk, public_answers: Callable[[str], str]
) -> None:
    """CWE-200: feeds and sitemaps named scheduled posts as soon as these were approved."""
    item = news.create(title=SECRET, scheduledPublishAt="2026-03-02T00:00:00Z")
    news.publish(item["id"])
    assert SECRET.lower() not in public_answers("").lower()

    clock.shift(days=1)

    assert SECRET in public_answers("")


def test_cwe_362_lost_updates_are_refused(news: Desk) -> None:
    """CWE-362: of two editors, the second overwrote what the first had just saved."""
    item = news.create()
    seen = news.etag(item["id"])
    news.edit(item["id"], title="First", if_match=seen)

    news.edit(item["id"], title="Second", if_match=seen, status=412)
    news.edit(item["id"], title="Second", etag=seen, status=400)

    assert news.show(item["id"])["title"] == "First"


def test_cwe_367_an_approver_approves_what_they_read(news: Desk, admin: Client) -> None:
    """CWE-367: a text was changed between the reading of the approver and the approval."""
    item = news.create(title="Harmless")
    news.request(item["id"])
    read = admin.get(f"/api/staff/news/{item['id']}").headers["ETag"]
    news.edit(item["id"], title="Harmful")
    news.request(item["id"])

    chief = Desk(admin, "news")
    chief.approve(item["id"], etag=read, status=400)

    assert news.public_list() == []


def test_cve_2025_5257_a_preview_needs_the_permission(app: Client, hidden: Any) -> None:
    """CVE-2025-5257 (Mautic): unpublished previews could be guessed by their number."""
    for path in ("preview", "page/preview", "api/preview", "api/news/preview", "api/drafts"):
        app.get(f"/{path}/{hidden['id']}", status=404)
    app.get(f"/api/staff/news/{hidden['id']}", status=401)


def test_cwe_548_crawlers_are_told_no_hidden_address(app: Client, hidden: Any) -> None:
    """CWE-548: robots.txt and the sitemap listed the addresses that nobody should find."""
    for path in ("/robots.txt", "/sitemap.xml"):
        text = app.get(path).text
        assert SECRET.lower() not in text.lower()
        assert f"/news/{hidden['id']}" not in text
