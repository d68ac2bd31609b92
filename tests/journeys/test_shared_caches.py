"""A shared cache that purges the keys of each change never shows an outdated public answer.

The cache of the test stores the answers of all public addresses. After each write it drops those
with a purged key; each of the others must equal the answer that the server gives now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from sqlalchemy import delete as delete_from
from sqlalchemy import insert, select
from webob import Request

from masthead import Instance, content_types_of, utcnow
from masthead.demo.filling import fill
from masthead.testing import Client, Desk
from masthead_cdn.models import CacheState, Purge

pytestmark = pytest.mark.slow

CACHE = "varnish http://127.0.0.1:9"
CODINGS = ("identity", "gzip")
PICTURES = "/api/staff/images"


@pytest.fixture
def settings() -> dict[str, str]:
    return {
        "masthead.cache.key_headers": "Surrogate-Key",
        "masthead.cdn.varnish_urls": "http://127.0.0.1:9",
        "masthead.cdn.repeat_after": "0",
    }


Form = tuple[str, str]
"""An address, and the content coding that a client asks for."""


class SharedCache:
    """Stores answers by address and, as ``Vary`` demands, by coding; purges them by key."""

    def __init__(self, app: Client, instance: Instance) -> None:
        self._app, self._instance = app, instance
        self._answers: dict[Form, tuple[Any, frozenset[str]]] = {}
        self._last = 0
        self.purged: set[str] = set()

    def fill(self) -> None:
        """Ask for all addresses that aren't stored."""
        for form in {*product(self._addresses(), CODINGS)} - self._answers.keys():
            answer = self._ask(form)
            if answer.status_int == 200:
                keys = frozenset(answer.headers["Surrogate-Key"].split())
                assert ("Content-Encoding" in answer.headers) <= ("Vary" in answer.headers)
                self._answers[form] = (_shown(answer), keys)

    def purge(self) -> set[str]:
        """Drop what the writes since the last call purge; return the addresses of the rest."""
        with self._instance.database.read() as connection:
            rows = connection.execute(select(Purge.id, Purge.keys).where(Purge.id > self._last))
            found = rows.all()
        self._last = max([self._last, *(row.id for row in found)])
        self.purged = {key for row in found for key in row.keys.split()}
        self._answers = {
            form: (shown, keys)
            for form, (shown, keys) in self._answers.items()
            if not keys & self.purged
        }
        return {address for address, _ in self._answers}

    def outdated(self) -> list[str]:
        """Return the addresses whose stored answer isn't that of the server."""
        return [
            form[0]
            for form, (shown, _) in self._answers.items()
            if _shown(self._ask(form)) != shown
        ]

    def _ask(self, form: Form) -> Any:
        address, coding = form
        headers = {"Accept-Encoding": coding}
        return Request.blank(address, headers=headers).get_response(self._app.app)

    def _addresses(self) -> Iterator[str]:
        """Yield addresses of all cacheable endpoints."""
        known = {path: [] for path in ("", *self._values())} | self._values()
        for endpoint in self._instance.endpoints:
            if endpoint.cacheable:
                base, *_ = endpoint.path.partition("/{")
                values = known.get(endpoint.path, []) if "{" in endpoint.path else [base]
                assert values or endpoint.path in UNUSED, endpoint.path
                yield from values
        for kind in content_types_of(self._instance):
            yield f"/api/{kind.name}?limit=2"
            yield f"/api/{kind.name}?search=the"
            for tag in self._app.get("/api/tags").json[:3]:
                yield f"/api/{kind.name}?tag={tag['slug']}"

    def _values(self) -> dict[str, list[str]]:
        """Return addresses by the path of an endpoint with placeholders."""
        found: dict[str, list[str]] = {}
        for kind in content_types_of(self._instance):
            items = self._app.get(f"/api/{kind.name}").json
            base = f"/api/{kind.name}"
            found[f"{base}/{{slug}}"] = [f"{base}/{item['slug']}" for item in items]
            found[f"{base}/{{id}}/related"] = [f"{base}/{item['id']}/related" for item in items]
        staff = self._app.as_role("admin")
        pages, images = staff.get("/api/staff/pages").json, staff.get(PICTURES).json
        found["/api/pages/{slug}"] = [f"/api/pages/{page['slug']}" for page in pages]
        named = staff.get("/api/staff/static-images").json
        found["/api/static-images/{name}"] = [f"/api/static-images/{n['id']}" for n in named]
        found["/api/images/{prefix}/{filename}"] = [image["url"] for image in images]
        return found


UNUSED = {"/sitemap-{id}.xml"}
"""Endpoints that answer only with more content than a test has."""


def _shown(answer: Any) -> Any:
    return answer.status_int, answer.headers.get("ETag"), answer.body


@pytest.fixture
def cache(app: Client, instance: Instance) -> SharedCache:
    app.as_role("admin")
    fill(instance)
    until = utcnow() + timedelta(days=1)
    with instance.database.engine.begin() as connection:
        # As if another process purged the cache: the rows stay.
        connection.execute(delete_from(CacheState))
        row = {"name": CACHE, "lease_until": until, "failures": 0}
        connection.execute(insert(CacheState), [row])
    found = SharedCache(app, instance)
    found.purge()
    found.fill()
    return found


Write = Callable[[Client], Any]


def first(staff: Client, path: str) -> Any:
    return staff.get(f"/api/staff/{path}").json[0]


def news(staff: Client, index: int = 0) -> Any:
    return [each for each in staff.get("/api/staff/news").json if each["published"]][index]


def edit(path: str, **values: Any) -> Write:
    """Change the first item of a list of staff."""

    def write(staff: Client) -> None:
        staff.put_json(f"/api/staff/{path}/{first(staff, path)['id']}", values)

    return write


def delete(path: str) -> Write:
    return lambda staff: staff.delete(f"/api/staff/{path}/{first(staff, path)['id']}")


def show(desk: Desk, item_id: int) -> None:
    """Approve an edit, unless it is public already."""
    if desk.show(item_id)["approvalStatus"] != "approved":
        desk.publish(item_id)


def edit_article(staff: Client) -> None:
    desk, item = Desk(staff, "news"), news(staff)
    desk.edit(item["id"], title="Another title", content="<p>The river</p>")
    show(desk, item["id"])


def tag_article(staff: Client) -> None:
    desk, item = Desk(staff, "news"), news(staff, 1)
    tag = staff.post_json("/api/staff/tags", {"name": "Harbour"}).json
    desk.edit(item["id"], tagIds=[tag["id"]])
    show(desk, item["id"])


def withdraw_article(staff: Client) -> None:
    Desk(staff, "news").bulk("unpublish", [news(staff)["id"]])


def publish_article(staff: Client) -> None:
    Desk(staff, "news").create_public(title="New", content="<p>The new one</p>", category="Town")


def delete_article(staff: Client) -> None:
    Desk(staff, "news").delete(news(staff)["id"])


def publish_event(staff: Client) -> None:
    Desk(staff, "events").create_public(title="Fair", startDate="2036-01-01T00:00:00.000Z")


def rename_author(staff: Client) -> None:
    for user in staff.get("/api/staff/users").json:
        staff.put_json(f"/api/staff/users/{user['id']}", {"displayName": f"Dr {user['username']}"})


def delete_image(staff: Client) -> None:
    key = first(staff, "images")["key"]
    staff.delete(f"/api/staff/images/{key}?force=true")


def describe_image(staff: Client) -> None:
    staff.put_json(f"/api/staff/images/{first(staff, 'images')['key']}", {"altText": "A boat"})


def add_navigation(staff: Client) -> None:
    staff.post_json("/api/staff/navigation", {"label": "Blog", "path": "/blog"})


WRITES: list[Write] = [
    edit_article,
    tag_article,
    publish_article,
    publish_event,
    rename_author,
    edit("tags", name="Harbour and river"),
    delete("tags"),
    edit("people", name="Somebody Else"),
    delete("people"),
    edit("static-images", imageUrl="/api/images/other.png"),
    edit("pages", title="Other rules"),
    delete("pages"),
    add_navigation,
    edit("about/values", title="Courage"),
    lambda staff: staff.put_json(
        "/api/staff/about", {"mission": {"title": "Mission", "content": "<p>Other</p>"}}
    ),
    describe_image,
    delete_image,
    delete_article,
    withdraw_article,
]


def test_no_outdated_answer_stays_after_any_write(app: Client, cache: SharedCache) -> None:
    staff = app.as_role("admin")
    for write in WRITES:
        before = {*cache.purge()}
        cache.fill()
        write(staff)
        kept = cache.purge()
        name = getattr(write, "__qualname__", str(write))
        assert cache.outdated() == [], (name, cache.purged)
        assert cache.purged, name
        assert "all" not in cache.purged, name
        assert kept or not before, name


def test_a_changed_item_leaves_other_items_and_types(app: Client, cache: SharedCache) -> None:
    staff = app.as_role("admin")
    changed = news(staff)

    edit_article(staff)

    kept = cache.purge()
    others = {f"/api/news/{each['slug']}" for each in app.get("/api/news").json}
    assert others - kept == {f"/api/news/{changed['slug']}"}
    assert {"/api/events", "/api/people", "/api/tags", "/api/about"} <= kept
    assert any(address.startswith("/api/images/") for address in kept)
    assert not {"/api/news", "/api/feed/news", "/sitemap.xml"} & kept


def test_a_draft_purges_nothing(app: Client, cache: SharedCache) -> None:
    before = cache.purge()
    desk = Desk(app.as_role("admin"), "news")

    item = desk.create(title="Later")
    desk.edit(item["id"], title="Still later")
    desk.delete(item["id"])

    assert cache.purge() == before
    assert cache.purged == set()
