"""Core with a plugin of two content types: toys have nearly every option, memos have none."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import BigInteger, ColumnElement, Text, cast, literal
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    PUBLIC,
    SUCCESS,
    Approvable,
    Bool,
    ContentItem,
    ContentType,
    Date,
    Endpoint,
    FieldType,
    GeoPoint,
    Int,
    Invalid,
    Json,
    ListOf,
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
from masthead.testing import Desk
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


@endpoint("GET", "/api/memos/mine", name="memos.mine", permission=PUBLIC, returns=SUCCESS)
def show_mine(_request: Request) -> dict[str, Any]:
    """Show something beside the items."""
    return {"success": True}


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
    public_orders=("displayOrder", "title", "price", "madeOn"),
    slug_on_approval=True,
    list_content=True,
    check=check_toy,
)
MEMOS = ContentType(name="memos", label="Memo", model=Memo)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [TOYS, MEMOS]

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
def toys(app: Client) -> Desk:
    """A desk for toys, used by an editor."""
    return Desk(app, "toys").as_role("editor")


@pytest.fixture
def memos(app: Client) -> Desk:
    """A desk for memos, used by an editor."""
    return Desk(app, "memos").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
