"""Core with a plugin of content types: toys and offers have most options, memos have none."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Text,
    cast,
    event,
    false,
    func,
    literal,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    PUBLIC,
    SUCCESS,
    Approvable,
    Bool,
    Choice,
    Computed,
    ContentItem,
    ContentType,
    Date,
    Endpoint,
    FieldType,
    GeoPoint,
    Int,
    Invalid,
    ItemSave,
    Json,
    Line,
    ListOf,
    Nullable,
    Number,
    Object,
    Plugin,
    ProblemCode,
    Request,
    Str,
    Timestamp,
    Url,
    WrongValue,
    endpoint,
    endpoints_in,
    field,
    hookimpl,
    optional,
    plugin_metadata,
    required,
    schema,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Database, Desk
from masthead.testing.client import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("toys")


class Minutes(FieldType):
    """A duration in whole minutes, such as ``PT90M``; an integer in Python."""

    column_type = BigInteger()
    samples = "PT90M", "PT5M"

    def parse(self, value: Any) -> int:
        found = re.fullmatch(r"PT([0-9]{1,6})M", value) if isinstance(value, str) else None
        if found is None:
            raise WrongValue(ProblemCode.WRONG_FORM, "Must be a duration such as PT90M")
        return int(found[1])

    def dump(self, value: int) -> str:
        return f"PT{value}M"

    def restore(self, value: str) -> int:
        return self.parse(value)

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return literal("PT") + cast(column, Text()) + "M"

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^PT[0-9]{1,6}M$"}


MANUAL = {
    "type": "object",
    "properties": {
        "pages": {"type": "integer", "minimum": 1},
        "sizes": {"type": "array", "items": {"type": "number"}},
    },
    "required": ["pages"],
    "examples": [{"pages": 3, "sizes": [1, 2.5]}, {"pages": 4}],
}
REPAIR = schema(
    {
        "at": required(Timestamp()),
        "days": optional(ListOf(Date()), nullable=False),
        "cost": optional(Number(places=3)),
        "place": optional(GeoPoint(), nullable=False),
        "took": optional(ListOf(Minutes(), unique=True), nullable=False),
        "code": required(Str(5)),
    }
)


class Toy(ContentItem, Base):
    """An item with a field for each option of ``field()``."""

    __tablename__ = "toys_toy"

    maker: Mapped[str | None] = field(Str())
    photo: Mapped[str | None] = field(Url())
    min_age: Mapped[int | None] = field(Int(0))
    max_age: Mapped[int | None] = field(Int(0))
    fragile: Mapped[bool] = field(Bool(), default=False)
    note: Mapped[str | None] = field(Str(), public=False)
    line_2: Mapped[str | None] = field(Str())
    parts: Mapped[list[Any] | None] = field(
        ListOf(Object(schema({"name": required(Str()), "count": optional(Int(0), nullable=False)})))
    )
    display_order: Mapped[int] = field(Int(), default=0, staged=False)
    price: Mapped[Decimal | None] = field(Number(0, "99999.95"))
    made_on: Mapped[date | None] = field(Date())
    playtime: Mapped[int | None] = field(Minutes())
    factory: Mapped[dict[str, float] | None] = field(GeoPoint())
    manual: Mapped[dict[str, Any] | None] = field(Json(MANUAL))
    repairs: Mapped[list[Any] | None] = field(ListOf(Object(REPAIR)))


class Memo(ContentItem, Base):
    """An item without fields of its own."""

    __tablename__ = "toys_memo"


class Offer(ContentItem, Base):
    """An item with a field of each type that lists can be filtered by."""

    __tablename__ = "toys_offer"

    shop: Mapped[str | None] = field(Line())
    size: Mapped[str | None] = field(Choice("small", "large"))
    price: Mapped[int | None] = field(Int(0))
    used: Mapped[bool] = field(Bool(), default=False)
    closes_at: Mapped[datetime | None] = field(Timestamp())
    made_on: Mapped[date | None] = field(Date())
    weight: Mapped[Decimal | None] = field(Number())
    seller: Mapped[str | None] = field(Str(), public=False)
    stuffs: Mapped[list[str] | None] = field(ListOf(Choice("wood", "tin", "glass"), unique=True))
    words: Mapped[list[str] | None] = field(ListOf(Line()))


class Sale(ContentItem, Base):
    """An item that is over at its end, and is listed by it."""

    __tablename__ = "toys_sale"

    ends_at: Mapped[datetime] = field(Timestamp(), required=True)


@endpoint("GET", "/api/memos/mine", name="memos.mine", permission=PUBLIC, returns=SUCCESS)
def show_mine(_request: Request) -> dict[str, Any]:
    """Show something beside the items."""
    return {"success": True}


def check_toy(_session: Session, save: ItemSave) -> None:
    """Refuse a range of ages that ends before it begins, and a too small display order."""
    values = save.after
    minimum, maximum = values["minAge"], values["maxAge"]
    if minimum is not None and maximum is not None and maximum < minimum:
        raise Invalid("maxAge: Must not be less than minAge")
    if values["displayOrder"] < -1_000:
        raise Invalid("displayOrder: Must not be less than -1000")


TOYS = ContentType(
    name="toys",
    label="Toy",
    model=Toy,
    order="displayOrder",
    related_by=("maker", "minAge"),
    public_orders=("displayOrder", "title", "price", "madeOn"),
    public_filters=("price", "madeOn"),
    slug_on_approval=True,
    list_content=True,
    before_change=check_toy,
)
MEMOS = ContentType(name="memos", label="Memo", model=Memo)


def count_memos(session: Session, ids: Sequence[int]) -> Mapping[int, int]:
    """Return the number of memos with the shop of an offer as title, for those that have a shop."""
    named = select(Offer.id, func.count(Memo.id)).outerjoin(Memo, Memo.title == Offer.shop)
    found = named.where(Offer.id.in_(ids), Offer.shop.is_not(None)).group_by(Offer.id)
    return {row[0]: row[1] for row in session.execute(found)}


OFFERS = ContentType(
    name="offers",
    label="Offer",
    model=Offer,
    order="price",
    public_filters=(
        *("shop", "size", "price", "used", "lang", "closesAt", "madeOn", "weight", "stuffs"),
    ),
    staff_filters=("seller", "words"),
    computed={
        "isCheap": Computed(
            Bool().described("Whether it costs less than 10."),
            expression=lambda table: func.coalesce(table.c.price < 10, false()),
        ),
        "lastDay": Computed(
            Nullable(Timestamp()).described("The same time again."),
            expression=lambda table: table.c.closes_at,
            listed=False,
        ),
        "memoCount": Computed(
            Nullable(Int()).described("The number of memos about its shop."), batch=count_memos
        ),
        "nameOfSeller": Computed(
            Nullable(Str()).described("The seller."),
            expression=lambda table: table.c.seller,
            public=False,
        ),
    },
    expires="closesAt",
    detail="open",
)
SALES = ContentType(name="sales", label="Sale", model=Sale, order="endsAt", expires="endsAt")


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [TOYS, MEMOS, OFFERS, SALES]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return endpoints_in(sys.modules[__name__])


PLUGIN = Plugin(name="toys", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def toys_type() -> ContentType:
    return TOYS


@pytest.fixture
def memos_type() -> ContentType:
    return MEMOS


@pytest.fixture
def offers_type() -> ContentType:
    return OFFERS


@pytest.fixture
def sales_type() -> ContentType:
    return SALES


@pytest.fixture
def toys(app: Client) -> Desk:
    """A desk for toys, used by an editor."""
    return Desk(app, "toys").as_role("editor")


@pytest.fixture
def memos(app: Client) -> Desk:
    """A desk for memos, used by an editor."""
    return Desk(app, "memos").as_role("editor")


@pytest.fixture
def offers(app: Client) -> Desk:
    """A desk for offers, used by an editor."""
    return Desk(app, "offers").as_role("editor")


@pytest.fixture
def read_statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """Return a list that gets each statement of a public request, with its parameters."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_rest: Any) -> None:
        statements.append((statement, given))

    event.listen(database.reader, "before_cursor_execute", note)
    yield statements
    event.remove(database.reader, "before_cursor_execute", note)


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
