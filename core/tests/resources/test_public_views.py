"""The public endpoints of a resource: its public fields, of published items only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import (
    KEY,
    PUBLIC,
    SUCCESS,
    Bool,
    Endpoint,
    Instance,
    Int,
    NamedItem,
    Plugin,
    PublicRoutes,
    Resource,
    ResourceItem,
    Str,
    Timestamp,
    field,
    flush_with_slugs,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Clock
from masthead.testing.client import Client

STALLS, STAFF_STALLS = "/api/market/stalls", "/api/staff/market/stalls"


class Base(DeclarativeBase):
    metadata = plugin_metadata("market")


class Stall(ResourceItem, Base):
    __tablename__ = "market_stall"

    title: Mapped[str] = field(Str(), required=True)
    slug: Mapped[str] = mapped_column(KEY, unique=True)
    place: Mapped[int | None] = field(Int())
    size_in_m: Mapped[int] = field(Int(), default=3)
    history: Mapped[str | None] = field(Str(), listed=False)
    rent: Mapped[int | None] = field(Int(), public=False)
    published: Mapped[bool] = field(Bool(), default=False, public=False)


class Coin(NamedItem, Base):
    __tablename__ = "market_coin"

    worth: Mapped[int] = field(Int(), default=1)


class Trader(ResourceItem, Base):
    __tablename__ = "market_trader"

    name: Mapped[str] = field(Str(), required=True)


def flush(session: Session, stalls: Sequence[Stall]) -> None:
    new = [(stall, stall.title) for stall in stalls if stall not in session]
    flush_with_slugs(session, Stall, new)
    session.flush()


RESOURCES = [
    Resource(
        name="stalls",
        label="Stall",
        model=Stall,
        area="market",
        path="market/stalls",
        order=("-place", "title"),
        shows={"slug": Str(), "createdAt": Timestamp(), "updatedAt": Timestamp()},
        public=PublicRoutes(by="slug", shows=("slug", "updatedAt")),
        flush=flush,
    ),
    Resource(
        name="coins",
        label="Coin",
        model=Coin,
        area="market",
        order=("worth",),
        public=PublicRoutes(),
    ),
    Resource(
        name="traders",
        label="Trader",
        model=Trader,
        area="market",
        public=PublicRoutes(operations=("show",)),
    ),
]


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return RESOURCES

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        path = f"{STALLS}/open/now"
        options = {"permission": PUBLIC, "summary": "", "returns": SUCCESS}
        return [Endpoint(method="GET", path=path, name="stalls.open", view=dict, **options)]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="market", hooks=(Hooks(),), base=Base)]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_stall(staff: Client) -> Callable[..., Any]:
    def make(title: str = "Honey", **values: Any) -> Any:
        body = {"title": title, "published": True} | values
        return staff.post_json(STAFF_STALLS, body).json

    return make


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The statements that databases execute during the test."""
    executed: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        executed.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield executed
    event.remove(Engine, "before_cursor_execute", note)


def titles(client: Client, **query: Any) -> list[str]:
    return [stall["title"] for stall in client.get(STALLS, query).json]


def test_an_item_shows_its_public_fields_and_a_list_those_that_are_listed(
    app: Client, make_stall: Callable[..., Any]
) -> None:
    made = make_stall(place=2, history="Since 1903.", rent=70)
    names = ("id", "slug", "title", "place", "sizeInM", "updatedAt")
    listed = {name: made[name] for name in names}

    assert app.get(STALLS).json == [listed]
    assert app.get(f"{STALLS}/honey").json == listed | {"history": "Since 1903."}


def test_no_item_has_the_slug_of_another_endpoint(make_stall: Callable[..., Any]) -> None:
    assert make_stall("Open")["slug"] == "open-2"
    assert make_stall("Opened")["slug"] == "opened"


def test_the_public_sees_published_items_only(
    app: Client, staff: Client, make_stall: Callable[..., Any]
) -> None:
    hidden = make_stall("Bread", published=False)
    make_stall("Honey")

    assert titles(app) == ["Honey"]
    assert app.get(STALLS).headers["X-Total-Count"] == "1"
    app.get(f"{STALLS}/bread", status=404)

    staff.put_json(f"{STAFF_STALLS}/{hidden['id']}", {"published": True})
    assert titles(app) == ["Bread", "Honey"]
    app.get(f"{STALLS}/bread")


def test_an_item_that_is_unpublished_disappears_at_once(
    app: Client, staff: Client, make_stall: Callable[..., Any]
) -> None:
    path = f"{STAFF_STALLS}/{make_stall()['id']}"
    etags = {address: app.get(address).headers["ETag"] for address in (STALLS, f"{STALLS}/honey")}
    for address, etag in etags.items():
        assert app.get(address, headers={"If-None-Match": etag}, status=304).body == b""

    staff.put_json(path, {"published": False})

    assert app.get(STALLS, headers={"If-None-Match": etags[STALLS]}).json == []
    app.get(f"{STALLS}/honey", headers={"If-None-Match": etags[f"{STALLS}/honey"]}, status=404)


def test_a_list_has_the_order_of_the_staff_list_and_is_paged(
    app: Client, staff: Client, make_stall: Callable[..., Any]
) -> None:
    for title, place in (("Tea", None), ("Wool", 1), ("Nuts", 2), ("Jam", 2)):
        make_stall(title, place=place)

    page = app.get(STALLS, {"limit": 2, "offset": 1})

    ordered = [stall["title"] for stall in staff.get(STAFF_STALLS).json]
    assert titles(app) == ordered == ["Jam", "Nuts", "Wool", "Tea"]
    assert [stall["title"] for stall in page.json] == ["Nuts", "Wool"]
    assert page.headers["X-Total-Count"] == "4"
    assert 'rel="next"' in page.headers["Link"]
    assert app.get(STALLS, {"limit": "0"}, status=400).json["error"].startswith("limit: ")


def test_a_further_page_takes_one_query(
    app: Client, make_stall: Callable[..., Any], statements: list[str]
) -> None:
    for number in range(5):
        make_stall(f"Stall {number}")
    app.get(STALLS, {"limit": 2})
    statements.clear()

    app.get(STALLS, {"limit": 2, "offset": 2})

    assert len([each for each in statements if "FROM market_stall" in each]) == 1


def test_a_resource_without_a_field_published_is_public_as_a_whole(
    app: Client, staff: Client
) -> None:
    for coin, worth in (("dime", 10), ("cent", 1)):
        staff.post_json("/api/staff/coins", {"id": coin, "worth": worth})

    assert app.get("/api/coins").json == [{"id": "cent", "worth": 1}, {"id": "dime", "worth": 10}]
    assert app.get("/api/coins/dime").json == {"id": "dime", "worth": 10}
    app.get("/api/coins/1", status=404)


def test_the_public_has_the_declared_operations_only(app: Client, staff: Client) -> None:
    trader = staff.post_json("/api/staff/traders", {"name": "Ada"}).json["id"]

    assert app.get(f"/api/traders/{trader}").json == {"id": trader, "name": "Ada"}
    app.get("/api/traders", status=404)
    for wrong in ("0", "x", str(trader + 1)):
        app.get(f"/api/traders/{wrong}", status=404)


@pytest.mark.parametrize("slug", ["HONEY", "honey-2", "%00", "a%00b", "x" * 3000])
def test_an_unknown_key_is_not_found(
    app: Client, make_stall: Callable[..., Any], slug: str
) -> None:
    make_stall()

    app.get(f"{STALLS}/{slug}", status=404)


def test_a_value_with_a_default_is_never_null_in_the_declared_answer(instance: Instance) -> None:
    [listed] = [each for each in instance.endpoints if each.name == "stalls.list"]

    described = listed.returns.schema()["items"]["properties"]
    assert described["sizeInM"]["type"] == "integer"
    assert described["place"]["type"] == ["integer", "null"]


def test_a_request_chooses_items_order_and_fields(
    clock: Clock, app: Client, make_stall: Callable[..., Any]
) -> None:
    bread = make_stall("Bread", place=1, history="Old")
    clock.shift(days=1)
    honey = make_stall("Honey", place=2)
    since = honey["updatedAt"]

    assert titles(app, sort="title") == ["Bread", "Honey"]
    assert titles(app, sort="-updatedAt,id") == ["Honey", "Bread"]
    assert titles(app, ids=f"{bread['id']},99") == ["Bread"]
    assert titles(app, updatedSince=since) == ["Honey"]
    assert [s["history"] for s in app.get(STALLS, {"include": "history"}).json] == [None, "Old"]
    assert app.get(STALLS, {"fields": "title,history", "limit": 1, "offset": 1}).json == [
        {"title": "Bread", "history": "Old"}
    ]
    assert app.get(f"{STALLS}/bread?fields=id").json == {"id": bread["id"]}
    wrong = app.get(STALLS, {"fields": "rent"}, status=400).json["error"]
    assert wrong.startswith("fields: Must be one of id, title, place,")
    app.get(STALLS, {"sort": "rent"}, status=400)
