"""The cache keeps the answers whose tables stay, and calls the router once for equal requests."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import DeclarativeBase
from webtest import TestApp

from masthead import (
    PUBLIC,
    Approvable,
    ContentItem,
    ContentType,
    Endpoint,
    Int,
    NotFound,
    Plugin,
    Request,
    changed_tables,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.http.environ import CACHE_KEY, READ_TABLES
from masthead.instance import Instance
from masthead.schemas.schema import required, schema
from masthead.testing import Client, Clock, Database, Desk
from masthead.web import cache
from masthead.web.app import app_of


class Base(DeclarativeBase):
    metadata = plugin_metadata("prints")


class Map(ContentItem, Base):
    __tablename__ = "prints_map"


class Poster(ContentItem, Base):
    __tablename__ = "prints_poster"


TYPES = [
    ContentType(name="maps", label="Map", model=Map),
    ContentType(name="posters", label="Poster", model=Poster),
]
COUNT = text("SELECT count(*) FROM prints_map WHERE published")
NAMED = text("SELECT count(id) FROM prints_map WHERE published").execution_options(
    masthead_reads=("prints_map",)
)


class Slow:
    """A view that waits until a test lets it go."""

    def __init__(self) -> None:
        self.calls = 0
        self.go = threading.Event()
        self.fails = False

    def __call__(self, _request: Request) -> dict[str, int]:
        """Count the call."""
        self.calls += 1
        self.go.wait(60)
        if self.fails:
            raise NotFound
        return {"count": 1}


class Hooks:
    slow = Slow()

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return list(TYPES)

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        views: dict[str, Callable[[Request], Any]] = {
            "slow": lambda r: self.slow(r),  # noqa: PLW0108 - tests replace it
            "unnamed": lambda r: {"count": r.db.scalar(COUNT)},
            "named": lambda r: {"count": r.db.scalar(NAMED)},
            "plain": lambda _request: {"count": 1},
        }
        return [
            Endpoint(
                name=f"prints.{name}",
                method="GET",
                path=f"/api/{name}",
                view=view,
                permission=PUBLIC,
                returns=schema({"count": required(Int())}),
                summary="Count",
                refuses=frozenset({404}),
            )
            for name, view in views.items()
        ]


HOOKS = Hooks()
PLUGIN = Plugin(name="prints", hooks=(HOOKS,), base=Base)
ADDRESSES = ["/api/maps", "/api/maps/atlas", "/api/maps?search=atlas", "/api/maps?tag=blue"]
OTHERS = ["/api/posters", "/api/posters/atlas", "/api/posters?search=atlas", "/api/plain"]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.cache.strict": "true"}


@pytest.fixture
def slow() -> Iterator[Slow]:
    HOOKS.slow = Slow()
    yield HOOKS.slow
    HOOKS.slow.go.set()


@pytest.fixture
def desks(clock: Clock, app: Client) -> dict[str, Desk]:
    clock.shift(days=1)
    admin = app.as_role("admin")
    tag = admin.post_json("/api/staff/tags", {"name": "Blue"}).json["id"]
    found = {it.name: Desk(app, it.name).as_role("editor") for it in TYPES}
    for desk in found.values():
        desk.create_public(title="Atlas", tagIds=[tag])
    return found


def warm(app: Client, addresses: list[str]) -> None:
    for address in addresses:
        app.get(address)


def kept(app: Client, addresses: list[str]) -> list[str]:
    """Return the addresses that are answered without the router."""
    return [each for each in addresses if CACHE_KEY not in app.get(each).request.environ]


def test_a_change_of_one_type_keeps_the_answers_about_others(
    app: Client, desks: dict[str, Desk]
) -> None:
    warm(app, ADDRESSES + OTHERS)
    assert kept(app, ADDRESSES + OTHERS) == ADDRESSES + OTHERS

    desks["maps"].create_public(title="New")

    assert kept(app, ADDRESSES + OTHERS) == OTHERS


HIDDEN_WORK: dict[str, Callable[[Desk, int], Any]] = {
    "create": lambda desk, _: desk.create(title="Draft", tagIds=[1]),
    "edit": lambda desk, draft: desk.edit(draft, title="Edited", tagIds=[]),
    "request": lambda desk, draft: desk.request(draft),
    "delete": lambda desk, draft: desk.delete(draft),
    "delete several": lambda desk, draft: desk.bulk("delete", [draft]),
    "stage": lambda desk, _: desk.edit(1, title="Staged", tagIds=[]),
}


@pytest.mark.parametrize("work", HIDDEN_WORK)
def test_hidden_work_keeps_all_answers(
    app: Client, desks: dict[str, Desk], instance: Instance, work: str
) -> None:
    draft = desks["maps"].create(title="Hidden", tagIds=[1])["id"]
    warm(app, ADDRESSES + OTHERS)
    before = instance.version.token()

    HIDDEN_WORK[work](desks["maps"], draft)

    assert kept(app, ADDRESSES + OTHERS) == ADDRESSES + OTHERS
    assert instance.version.token() == before


def test_edits_that_wait_for_their_time_appear_at_it(
    clock: Clock, app: Client, desks: dict[str, Desk]
) -> None:
    warm(app, ADDRESSES)
    due = "2026-03-03T12:00:00Z"
    desks["maps"].edit(1, title="Later", scheduledPublishAt=due)
    desks["maps"].request(1)
    desks["maps"].as_role("admin").approve(1)
    assert "Later" not in app.get("/api/maps").text

    clock.move_to(due)

    assert "Later" in app.get("/api/maps").text


def test_a_passed_time_of_one_type_keeps_the_answers_about_others(
    clock: Clock, app: Client, desks: dict[str, Desk]
) -> None:
    due = "2026-03-03T12:00:00Z"
    desks["maps"].create_public(title="Later", scheduledPublishAt=due)
    warm(app, ADDRESSES + OTHERS)

    clock.move_to(due)

    assert kept(app, ADDRESSES + OTHERS) == OTHERS
    assert "Later" in app.get("/api/maps").text


def test_text_that_names_no_tables_depends_on_all_and_text_with_names_on_these(
    app: Client, desks: dict[str, Desk]
) -> None:
    warm(app, ["/api/unnamed", "/api/named"])

    desks["posters"].create_public(title="New")

    assert kept(app, ["/api/unnamed", "/api/named"]) == ["/api/named"]
    desks["maps"].create_public(title="New")
    assert app.get("/api/named").json == {"count": 2}


def test_a_router_tells_the_tables_of_its_answer(app: Client, desks: dict[str, Desk]) -> None:
    del desks
    for _cold_then_warm in range(2):
        known = app.get("/api/maps/atlas").request.environ[READ_TABLES]
        assert {"prints_map", "prints_map_tag", "core_tag", "core_user"} <= known
        assert "prints_poster" not in known
    assert app.get("/api/unnamed").request.environ[READ_TABLES] is None


def test_a_transaction_tells_the_tables_that_it_changes(
    desks: dict[str, Desk], database: Database
) -> None:
    del desks
    with database.transaction() as session:
        session.add(Map(title="Draft"))
        session.flush()
        assert changed_tables(session.connection()) == set()
        session.execute(update(Poster).values(title="Other"))
        assert changed_tables(session.connection()) == {"prints_poster"}
        session.execute(update(Poster).values(title="More"), execution_options={})
        session.delete(session.get_one(Map, 1))
        session.flush()
        assert changed_tables(session.connection()) == {"prints_poster", "prints_map"}


def test_an_entity_tag_belongs_to_the_bytes_of_an_answer(
    app: Client, desks: dict[str, Desk], instance: Instance
) -> None:
    first = {address: app.get(address).headers["ETag"] for address in ADDRESSES}

    desks["maps"].create(title="Draft")
    desks["posters"].create_public(title="New")

    other_process = TestApp(app_of(instance))
    assert {each: other_process.get(each).headers["ETag"] for each in ADDRESSES} == first
    desks["maps"].as_role("admin").edit(1, title="Changed")
    changed = {address: app.get(address).headers["ETag"] for address in ADDRESSES}
    assert not first.items() & changed.items()
    desks["maps"].as_role("admin").edit(1, title="Atlas")
    assert {each: app.get(each).headers["ETag"] for each in ADDRESSES} == first


def test_a_write_of_an_older_release_outdates_all_answers(
    app: Client, desks: dict[str, Desk], database: Database
) -> None:
    warm(app, ADDRESSES + OTHERS)
    with database.transaction() as session:
        session.execute(text("UPDATE prints_map SET title = 'Old', listed = NULL"))
        session.execute(text("UPDATE core_content_version SET token = 'old'"))

    desks["posters"].create_public(title="New")

    assert app.get("/api/maps").json[0]["title"] == "Old"
    assert app.get("/api/maps/atlas").json["title"] == "Old"


def in_threads(count: int, ask: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(count) as threads:
        return [future.result() for future in [threads.submit(ask) for _ in range(count)]]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch, instance: Instance) -> TestApp:
    """Return an application whose requests wait for each other as long as needed."""
    monkeypatch.setattr(cache, "_PATIENCE", 60.0)
    return TestApp(app_of(instance))


def test_simultaneous_misses_of_an_address_call_the_router_once(
    patient: TestApp, slow: Slow
) -> None:
    threading.Timer(0.3, slow.go.set).start()

    answers = in_threads(8, lambda: patient.get("/api/slow"))

    assert slow.calls == 1
    assert {answer.body for answer in answers} == {b'{"count":1}'}
    assert len({answer.headers["ETag"] for answer in answers}) == 1


def test_requests_that_waited_for_a_failure_call_the_router_themselves(
    patient: TestApp, slow: Slow
) -> None:
    slow.fails = True
    threading.Timer(0.3, slow.go.set).start()

    answers = in_threads(8, lambda: patient.get("/api/slow", status="*"))

    assert Counter(answer.status_int for answer in answers) == {404: 8}
    assert slow.calls == 8


def test_a_request_that_hangs_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, instance: Instance, slow: Slow
) -> None:
    monkeypatch.setattr(cache, "_PATIENCE", 0.1)
    app = TestApp(app_of(instance))
    with ThreadPoolExecutor(1) as thread:
        hanging = thread.submit(app.get, "/api/slow")
        while not slow.calls:
            pass
        HOOKS.slow = Slow()
        HOOKS.slow.go.set()

        assert app.get("/api/slow").json == {"count": 1}
        assert not hanging.done()
        slow.go.set()
        assert hanging.result().json == {"count": 1}
