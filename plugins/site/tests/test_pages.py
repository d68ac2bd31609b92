"""Pages: unpublished at first, then public at a slug that never changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.audit.models import AuditEntry
from masthead.testing import Client, schema_differences

PAGES = "/api/staff/pages"
MakePage = Callable[..., Any]


def test_the_migrations_make_what_the_models_declare(instance: Instance) -> None:
    assert schema_differences(instance.database, instance.plugins) == []


def test_a_page_is_unpublished_by_default(app: Client, staff: Client) -> None:
    page = staff.post_json(PAGES, {"title": "Our story", "content": "<p>Once</p>"}).json

    assert page == staff.get(f"{PAGES}/{page['id']}").json
    assert page["slug"] == "our-story"
    assert page["published"] is False
    assert app.get("/api/pages/our-story", status=404).json == {"error": "Not found"}

    staff.put_json(f"{PAGES}/{page['id']}", {"published": True})
    public = app.get("/api/pages/our-story").json
    assert public.keys() == {"id", "title", "slug", "lang", "dir", "content", "updatedAt"}
    assert (public["title"], public["content"]) == ("Our story", "<p>Once</p>")

    staff.put_json(f"{PAGES}/{page['id']}", {"published": False})
    app.get("/api/pages/our-story", status=404)


def test_a_duplicate_is_unpublished_and_has_a_slug_of_its_own(staff: Client) -> None:
    body = {"title": "Our story", "content": "<p>Once</p>", "lang": "fr", "published": True}
    page = staff.post_json(PAGES, body).json

    copy = staff.post(f"{PAGES}/{page['id']}/duplicate").json

    assert (copy["title"], copy["content"]) == ("Our story (copie)", "<p>Once</p>")
    assert (copy["slug"], copy["published"]) == ("our-story-copie", False)
    staff.post(f"{PAGES}/{copy['id'] + 1}/duplicate", status=404)


def test_lists_show_the_newest_first_and_leave_contents_out(
    staff: Client, make_page: MakePage
) -> None:
    for title in ("One", "Two", "Three"):
        make_page(title, content="<p>Long</p>")

    listed = staff.get(PAGES, {"limit": 2})

    assert [page["title"] for page in listed.json] == ["Three", "Two"]
    assert listed.headers["X-Total-Count"] == "3"
    assert "content" not in listed.json[0]


def test_a_slug_does_not_follow_the_title_and_is_unique(staff: Client, make_page: MakePage) -> None:
    first, second = make_page("Größe"), make_page("Größe")

    changed = staff.put_json(f"{PAGES}/{first['id']}", {"title": "Small"}).json

    assert (first["slug"], second["slug"]) == ("grosse", "grosse-2")
    assert (changed["title"], changed["slug"]) == ("Small", "grosse")


@pytest.mark.parametrize(
    "title",
    ["News", "actions", "Events", "People", "About", "Contact", "API", "Staff", "Docs", "healthz"],
)
def test_a_page_never_takes_a_reserved_slug(make_page: MakePage, title: str) -> None:
    assert make_page(title)["slug"] == f"{title.lower()}-2"


def test_a_page_takes_no_path_of_the_api_or_of_navigation(make_page: MakePage) -> None:
    assert make_page("Readyz")["slug"] == "readyz-2"
    assert make_page("Plants")["slug"] == "plants-2"
    assert make_page("Visit")["slug"] == "visit-2"
    assert make_page("Tours")["slug"] == "tours"
    assert make_page("Plants")["slug"] == "plants-3"


def test_a_page_is_sanitised_and_can_be_sent_back(staff: Client, make_page: MakePage) -> None:
    page = make_page(content="<p onclick='x()'>Hi</p><script>y()</script>")

    again = staff.put_json(f"{PAGES}/{page['id']}", page)

    assert page["content"] == "<p>Hi</p>"
    assert again.json == page
    assert again.headers["ETag"] == '"1"'


def test_a_stale_change_is_refused(staff: Client, make_page: MakePage) -> None:
    path = f"{PAGES}/{make_page()['id']}"
    staff.put_json(path, {"title": "Newer"})

    staff.put_json(path, {"title": "Older"}, headers={"If-Match": '"1"'}, status=412)

    assert staff.get(path).json["title"] == "Newer"


def test_a_deleted_page_is_gone_and_its_slug_is_free(
    app: Client, staff: Client, session: Session, make_page: MakePage
) -> None:
    page = make_page()

    assert staff.delete(f"{PAGES}/{page['id']}").json == {"success": True}

    app.get("/api/pages/imprint", status=404)
    staff.get(f"{PAGES}/{page['id']}", status=404)
    staff.delete(f"{PAGES}/{page['id']}", status=404)
    assert make_page()["slug"] == "imprint"
    actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert actions == ["content.publish", "content.delete", "content.publish"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "title"),
        ({"title": None}, "title"),
        ({"title": "  "}, "title"),
        ({"title": 7}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a\x00b"}, "title"),
        ({"title": "A", "content": ["<p>"]}, "content"),
        ({"title": "A", "content": "x" * 1024 * 1025}, "content"),
        ({"title": "A", "published": "yes"}, "published"),
    ],
)
def test_a_bad_body_makes_nothing(staff: Client, body: Any, named: str) -> None:
    assert staff.post_json(PAGES, body, status=400).json["error"].startswith(f"{named}: ")
    assert staff.get(PAGES).json == []


@pytest.mark.parametrize("slug", ["nothing", "%00", "a%00b", "%EF%BF%BF", "x" * 3000, "..", "%27"])
def test_an_unknown_slug_is_not_found(app: Client, slug: str) -> None:
    app.get(f"/api/pages/{slug}", status=404)


def test_an_answer_is_kept_until_something_changes(
    app: Client, staff: Client, make_page: MakePage
) -> None:
    page = make_page()
    etag = app.get("/api/pages/imprint").headers["ETag"]

    assert app.get("/api/pages/imprint", headers={"If-None-Match": etag}, status=304).body == b""
    staff.put_json(f"{PAGES}/{page['id']}", {"content": "<p>New</p>"})
    again = app.get("/api/pages/imprint", headers={"If-None-Match": etag})
    assert again.json["content"] == "<p>New</p>"


def test_pages_are_in_the_sitemap_once_they_are_published(
    instance: Instance, make_page: MakePage
) -> None:
    shown = make_page()
    make_page("Secret", published=False)

    with instance.database.session(read_only=True) as session:
        [entries] = instance.hooks.masthead_sitemap(session=session)

    assert [entry.path for entry in entries] == ["/imprint"]
    assert entries[0].changed_at.isoformat()[:19] == shown["updatedAt"][:19]


def test_staff_choose_and_change_the_slug_of_a_page(app: Client, staff: Client) -> None:
    def put(slug: Any, status: int = 200, **more: Any) -> Any:
        return staff.put_json(f"{PAGES}/{page['id']}", {"slug": slug, **more}, status=status).json

    page = staff.post_json(PAGES, {"title": "Imprint", "slug": "draft-name"}).json
    assert page["slug"] == "draft-name"
    assert put("legal", published=True)["slug"] == "legal"
    assert app.get("/api/redirects").json == []

    assert put("imprint")["slug"] == "imprint"
    moved = app.get("/api/pages/legal", status=404).json
    assert (moved["error"], moved["movedTo"]["path"]) == ("Not found", "/imprint")
    assert app.get("/api/redirects").json == [{"from": "/legal", "to": "/imprint"}]
    # It leaves its address while it isn't public.
    put("imprint", published=False)
    put("contact-us")
    assert app.get("/api/redirects").json == []
    assert "movedTo" not in app.get("/api/pages/imprint", status=404).json
    put("contact-us", published=True)
    moved = {each["from"]: each["to"] for each in app.get("/api/redirects").json}
    assert moved == {"/legal": "/contact-us", "/imprint": "/contact-us"}

    assert put(None)["slug"] == "imprint"
    staff.delete(f"{PAGES}/{page['id']}")
    assert app.get("/api/redirects").json == []


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("about", "slug: Belongs to another part of the website"),
        ("our-story", "slug: already taken"),
        ("former", "slug: Still leads to another item"),
        ("Our Story", "slug: Must be made of a-z, 0-9 and single hyphens"),
    ],
)
def test_a_page_can_not_have_any_slug(staff: Client, slug: str, said: str) -> None:
    other = staff.post_json(PAGES, {"title": "A", "slug": "former", "published": True}).json
    staff.put_json(f"{PAGES}/{other['id']}", {"slug": "our-story"})
    page = staff.post_json(PAGES, {"title": "Page"}).json

    for send, path in ((staff.post_json, PAGES), (staff.put_json, f"{PAGES}/{page['id']}")):
        refused = send(path, {"title": "Page", "slug": slug}, status=400).json["error"]
        assert refused.startswith(said)
    assert staff.get(f"{PAGES}/{page['id']}").json == page

    if slug == "former":
        body = {"slug": slug, "takeOver": True}
        assert staff.put_json(f"{PAGES}/{page['id']}", body).json["slug"] == "former"
