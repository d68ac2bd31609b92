"""Values that a resource reads for all items of a page at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Caller,
    Int,
    Line,
    Nullable,
    Plugin,
    Resource,
    ResourceItem,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.testing.client import Client

BEDS = "/api/staff/beds"
PAGES: list[int] = []
"""The numbers of beds whose letters were counted together."""


class Base(DeclarativeBase):
    metadata = plugin_metadata("plot")


class Bed(ResourceItem, Base):
    __tablename__ = "plot_bed"

    name: Mapped[str] = field(Line(), required=True)


def spell(_session: Session, beds: Sequence[Bed], caller: Caller | None) -> list[dict[str, Any]]:
    """Return the number of letters of each bed's name, for callers who may change beds."""
    PAGES.append(len(beds))
    allowed = caller is None or caller.may("plot.write")
    return [{"letters": len(bed.name) if allowed else None} for bed in beds]


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        kinds = {"letters": Nullable(Int())}
        return [Resource("beds", "Bed", Bed, "plot", looked_up=kinds, look_up=spell)]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="plot", hooks=(Hooks(),), base=Base)]


def test_values_are_looked_up_once_for_a_page_and_for_its_caller(
    app: Client, make_role: Any
) -> None:
    make_role("reader", "plot.read")
    staff = app.as_role("editor")
    made = [staff.post_json(BEDS, {"name": name}).json for name in ("Peas", "Kale", "Beans")]
    PAGES.clear()

    listed = staff.get(BEDS, {"limit": 2}).json

    assert PAGES == [2]
    assert [bed["letters"] for bed in made] == [4, 4, 5]
    assert listed == [made[2], made[1]]
    path = f"{BEDS}/{made[0]['id']}"
    assert staff.get(path).json == made[0]
    assert staff.put_json(path, {"name": "Pea"}).json["letters"] == 3
    for answer in (app.as_role("reader").get(BEDS).json[0], app.as_role("reader").get(path).json):
        assert answer["letters"] is None
