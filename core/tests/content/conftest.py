"""Core with a plugin of content types: toys and offers have most options, memos have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import event, false, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    Bool,
    Choice,
    Computed,
    ContentItem,
    ContentType,
    Int,
    Invalid,
    Line,
    ListOf,
    Nullable,
    Object,
    Plugin,
    Str,
    Timestamp,
    Url,
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
    seller: Mapped[str | None] = field(Str(), public=False)


class Sale(ContentItem, Base):
    """An item that is over at its end, and is listed by it."""

    __tablename__ = "toys_sale"

    ends_at: Mapped[datetime] = field(Timestamp(), required=True)


def check_toy(values: Mapping[str, Any]) -> None:
    """Refuse a range of ages that ends before it begins, and a too small display order."""
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
    slug_on_approval=True,
    list_content=True,
    check=check_toy,
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
    public_filters=("shop", "size", "price", "used", "lang", "closesAt"),
    staff_filters=("seller",),
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
