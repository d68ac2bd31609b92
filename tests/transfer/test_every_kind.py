"""Fields of every kind, in a content type and in a resource, arrive in another database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import BigInteger, ColumnElement, Text, cast, literal, select
from sqlalchemy.orm import DeclarativeBase, Mapped

import masthead
from masthead import (
    Approvable,
    Bool,
    Choice,
    ClassNames,
    Computed,
    ContentItem,
    ContentType,
    Date,
    DisplayName,
    Email,
    FieldType,
    GeoPoint,
    Html,
    Instance,
    Int,
    Json,
    LanguageTag,
    Line,
    ListOf,
    Nullable,
    Number,
    Object,
    Plugin,
    PublicRoutes,
    Ref,
    Refs,
    Resource,
    ResourceItem,
    Secret,
    Str,
    Timestamp,
    Url,
    UserName,
    field,
    hookimpl,
    optional,
    plugin_metadata,
    required,
    schema,
)
from masthead.plugins import installed
from masthead.testing import Client, Desk
from masthead.testing.accounts import Accounts
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance

THINGS, PARTS = "/api/things", "/api/parts"


class Minutes(FieldType):
    """A duration in whole minutes, such as ``PT90M``; an integer in Python."""

    column_type = BigInteger()
    samples = "PT90M", "PT5M"

    def parse(self, value: Any) -> int:
        return int(str(value).removeprefix("PT").removesuffix("M"))

    def dump(self, value: int) -> str:
        return f"PT{value}M"

    def restore(self, value: str) -> int:
        return self.parse(value)

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return literal("PT") + cast(column, Text()) + "M"

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^PT[0-9]{1,6}M$"}


class Base(DeclarativeBase):
    metadata = plugin_metadata("kinds")


REPAIR = schema(
    {
        "at": required(Timestamp()),
        "on": optional(ListOf(Date()), nullable=False),
        "cost": optional(Number(places=6)),
        "where": optional(GeoPoint(), nullable=False),
        "took": optional(Minutes(), nullable=False),
    }
)
MANUAL = {"type": "object", "examples": [{"a": 1}, {"a": 2}]}


class Everything:
    """A mixin with a field of each kind."""

    text: Mapped[str | None] = field(Str())
    line: Mapped[str | None] = field(Line())
    name: Mapped[str | None] = field(DisplayName())
    user_name: Mapped[str | None] = field(UserName())
    classes: Mapped[str | None] = field(ClassNames())
    html: Mapped[str | None] = field(Html())
    address: Mapped[str | None] = field(Url())
    email: Mapped[str | None] = field(Email())
    language: Mapped[str | None] = field(LanguageTag())
    whole: Mapped[int | None] = field(Int())
    is_on: Mapped[bool] = field(Bool(), default=False)
    price: Mapped[Decimal | None] = field(Number(places=6))
    made_on: Mapped[date | None] = field(Date())
    made_at: Mapped[datetime | None] = field(Timestamp())
    size: Mapped[str | None] = field(Choice("small", "Größe"))
    words: Mapped[list[str] | None] = field(ListOf(Line()))
    repairs: Mapped[list[Any] | None] = field(ListOf(Object(REPAIR)))
    shape: Mapped[dict[str, Any] | None] = field(
        Object(schema({"width": required(Number()), "colours": required(ListOf(Choice("r", "g")))}))
    )
    place: Mapped[dict[str, float] | None] = field(GeoPoint())
    manual: Mapped[dict[str, Any] | None] = field(Json(MANUAL))
    took: Mapped[int | None] = field(Minutes())
    part_id: Mapped[int | None] = field(Ref("parts"))
    part_ids: Mapped[list[int] | None] = field(Refs("parts", on_delete="clear", embed="parts"))


class Thing(Everything, ContentItem, Base):
    __tablename__ = "kinds_thing"


class Part(Everything, ResourceItem, Base):
    __tablename__ = "kinds_part"


COMPUTED = {
    "double": Computed(
        Nullable(Number(places=6)), expression=lambda table: table.c.price + table.c.price
    ),
    "idAgain": Computed(Int(), batch=lambda _session, ids: {each: each for each in ids}),
}
THING_TYPE = ContentType(
    name="things",
    label="Thing",
    model=Thing,
    computed=COMPUTED,
    public_filters=(
        *("line", "email", "language", "whole", "isOn", "price", "madeOn", "madeAt"),
        *("size", "words", "took"),
    ),
)
PART_KIND = Resource("parts", "Part", Part, "things", public=PublicRoutes(), computed=COMPUTED)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [THING_TYPE]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [PART_KIND]


PLUGIN = Plugin(name="kinds", hooks=(Hooks(),), base=Base)
ONE: dict[str, Any] = {
    "text": "two\nlines, 水",
    "line": "a, b",
    "name": "Zoë",
    "userName": "ada",
    "classes": "from-sky-600/50",
    "html": "<p>So &amp; so</p>",
    "address": "https://example.org/a?b=c",
    "email": "ada@example.org",
    "language": "pt-BR",
    "whole": 2**63 - 1,
    "isOn": True,
    "price": "-999999999999.999999",
    "madeOn": "0001-01-01",
    "madeAt": "0001-01-01T00:00:00.000Z",
    "size": "Größe",
    "words": ["a, b", 'c"d', "Größe"],
    "repairs": [
        {
            "at": "2026-03-01T09:30:00.001Z",
            "on": ["9999-12-31"],
            "cost": "0.000001",
            "where": {"latitude": -33.8568, "longitude": 1e-7},
            "took": "PT0M",
        },
        {"at": "9999-12-31T23:59:59.999Z", "cost": None},
    ],
    "shape": {"width": "0.05", "colours": ["g", "r", "g"]},
    "place": {"latitude": -90, "longitude": 0.1},
    "manual": {"b": [1e-7, 2**53, -0.5, None, True, "\u2028"], "a": {}},
    "took": "PT999999M",
}
TWO = ONE | {
    "whole": -(2**63),
    "price": "0.000001",
    "madeOn": "9999-12-31",
    "madeAt": "9999-12-31T23:59:59.999Z",
    "words": [],
    "repairs": [],
    "size": "small",
    "took": "PT0M",
}
QUERIES = (
    *("", "?fields=double,idAgain,whole", "?sort=-id", "?embed=part,parts", "?search=zo"),
    *("?line=a, b", "?whole=-9223372036854775808", "?wholeFrom=1", "?priceTo=-1", "?isOn=true"),
    *("?madeOnFrom=9999-12-31", "?madeAtTo=0001-01-02", "?size=Größe", "?words=a, b"),
    *("?words=Größe&madeOnTo=2026-01-01", "?took=PT0M", "?partId=1", "?partIds=2"),
)


@pytest.fixture
def available() -> Mapping[str, Plugin]:
    return {**installed(), "kinds": PLUGIN}


def write_items(client: Client) -> None:
    """Create parts that refer to each other, and things in each state with staged edits."""
    admin = client.as_role("admin")
    for values in (ONE, TWO, {}):
        admin.post_json(f"/api/staff{PARTS[4:]}", values)
    admin.put_json(f"/api/staff{PARTS[4:]}/1", {"partId": 3, "partIds": [2, 1]})
    desk = Desk(client, "things").as_role("admin")
    referring = {"partId": 1, "partIds": [3, 2]}
    desk.create_public(title="One", **ONE, **referring)
    staged = desk.create_public(title="Two", **TWO, partIds=[2])["id"]
    desk.edit(staged, **ONE, **referring, stage=True)
    desk.create_public(title="Three")
    desk.create(title="Draft", **TWO, **referring)


def stored(instance: Instance) -> dict[str, list[Any]]:
    """Return the stored values of all items, without the JSON of lists."""
    found = {}
    with instance.database.read() as connection:
        for model in (Thing, Part):
            table: Any = model.__table__
            columns = [column for column in table.c if column.name != "listed"]
            rows = connection.execute(select(*columns).order_by(table.c.id))
            found[table.name] = [row._asdict() for row in rows]
    return found


def admin_of(client: Client, instance: Instance) -> Client:
    """Return the client of a new administrator."""
    return client.as_user(Accounts(instance).make_user("boss", role="admin", email="b@example.org"))


def shown(client: Client, admin: Client) -> dict[str, Any]:
    """Return public and staff answers, by address."""
    queries = [quote(query, safe="?&=") for query in QUERIES]
    public = [f"{path}{query}" for path in (THINGS, PARTS) for query in queries]
    public += ["/api/things/one", "/api/things/two?embed=part,parts", "/api/parts/1"]
    staff = ["/api/staff/things", "/api/staff/parts", "/api/staff/parts/1"]
    staff += [f"/api/staff/things/{number}?embed=parts" for number in (1, 2, 3, 4)]
    staff += ["/api/staff/things?partId=1", "/api/staff/parts?partIds=1"]
    return {path: client.get(path).json for path in public} | {
        path: admin.get(path).json for path in staff
    }


def test_the_items_have_a_field_of_each_kind() -> None:
    kinds = [getattr(masthead, name) for name in masthead.__all__]
    stored_kinds = {
        kind.__name__
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, FieldType) and kind.column_type is not None
    }
    used = {
        type(f.kind.inner if isinstance(f.kind, Nullable) else f.kind).__name__
        for f in THING_TYPE.fields
    }

    assert stored_kinds - {Secret.__name__} <= used
    assert {*ONE, "partId", "partIds"} == {f.name for f in PART_KIND.fields}


def test_each_kind_is_the_same_in_another_database(
    route: tuple[str, str],
    make_instance: Callable[[str], Instance],
    client_of: Callable[[Instance], Client],
    tmp_path: Path,
) -> None:
    source, target = (make_instance(kind) for kind in route)
    client = client_of(source)
    write_items(client)
    before, answers = stored(source), shown(client, client.as_role("admin"))
    assert answers["/api/things/one"] == answers["/api/things/one"] | ONE
    assert answers["/api/parts/1"] == answers["/api/parts/1"] | ONE
    assert (
        len(answers["/api/things?words=a%2C%20b"]) == len(answers["/api/things?wholeFrom=1"]) == 1
    )

    messages: list[str] = []
    assert export_instance(source, tmp_path / "out", report=lambda *_: None) == []
    assert import_instance(target, tmp_path / "out", lambda *_: None, messages.append)

    assert [each for each in messages if each.startswith("Cleaned")] == []
    assert stored(target) == before
    other = client_of(target)
    assert shown(other, admin_of(other, target)) == answers
    export_instance(target, tmp_path / "again", report=lambda *_: None)
    for name in ("kinds_thing", "kinds_part"):
        first, second = (tmp_path / out / f"tables/{name}.jsonl" for out in ("out", "again"))
        assert first.read_text("utf-8") == second.read_text("utf-8")


def test_imported_references_are_kept_as_others(
    route: tuple[str, str],
    make_instance: Callable[[str], Instance],
    client_of: Callable[[Instance], Client],
    tmp_path: Path,
) -> None:
    source, target = (make_instance(kind) for kind in route)
    write_items(client_of(source))
    export_instance(source, tmp_path / "out", report=lambda *_: None)
    import_instance(target, tmp_path / "out", report=lambda *_: None)
    client = client_of(target)
    admin = admin_of(client, target)

    refused = admin.delete("/api/staff/parts/1", status=400).json["error"]
    admin.put_json("/api/staff/parts/1", {"partId": None})
    admin.delete("/api/staff/parts/3")

    assert "things 1 (One)" in refused
    assert client.get("/api/things/one").json["partIds"] == [2]
    assert admin.get("/api/staff/things/2").json["partIds"] == [2]
