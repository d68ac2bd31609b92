"""``GET /api/staff/types`` with the bounds of a plugin's lists, objects and filters."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Int,
    ListOf,
    Object,
    Plugin,
    Resource,
    ResourceItem,
    Str,
    field,
    hookimpl,
    plugin_metadata,
    required,
    schema,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("harbour")


class Boat(ResourceItem, Base):
    __tablename__ = "harbour_boat"

    name: Mapped[str] = field(Str(), required=True)
    berth: Mapped[int | None] = field(Int(1, 40))
    depths: Mapped[list[Any] | None] = field(ListOf(Int(0, 9)))
    sails: Mapped[list[Any] | None] = field(ListOf(Object(schema({"size": required(Int(1, 99))}))))


BOATS = Resource(
    name="boats",
    path="boats",
    label="Boat",
    model=Boat,
    area="harbour",
    filters=("berth",),
)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [BOATS]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="harbour", hooks=(Hooks(),), base=Base)]


def test_elements_members_and_filters_have_the_bounds_of_their_types(app: Client) -> None:
    kinds = {each["name"]: each for each in app.as_role("admin").get("/api/staff/types").json}
    fields = {each["name"]: each for each in kinds["boats"]["fields"]}
    filters = {each["name"]: each for each in kinds["boats"]["filters"]}

    depth, [size] = fields["depths"]["element"], fields["sails"]["element"]["members"]
    assert (depth["min"], depth["max"]) == (0, 9)
    assert (size["name"], size["min"], size["max"]) == ("size", 1, 99)
    assert (filters["berth"]["min"], filters["berth"]["max"]) == (1, 40)
