"""Core with a plugin of content types: toys and offers have most options, memos have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Approvable,
    Bool,
    Choice,
    ContentItem,
    ContentType,
    Int,
    Invalid,
    Line,
    ListOf,
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
from masthead.testing import Desk
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
OFFERS = ContentType(
    name="offers",
    label="Offer",
    model=Offer,
    order="price",
    public_filters=("shop", "size", "price", "used", "lang", "closesAt"),
    staff_filters=("seller",),
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
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
