"""The staff endpoints of a resource whose ids are text that staff choose."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import Int, NamedItem, Plugin, Resource, field, hookimpl, plugin_metadata
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.testing.client import Client

SHELVES = "/api/staff/shelves"


class Base(DeclarativeBase):
    metadata = plugin_metadata("shed")


class Shelf(NamedItem, Base):
    __tablename__ = "shed_shelf"

    height: Mapped[int] = field(Int(), default=0)


NAMED = Resource(name="shelves", label="Shelf", model=Shelf, area="shed", order=("-height",))


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [NAMED]


SHED = Plugin(name="shed", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, SHED]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


def test_an_id_may_be_text_that_staff_choose(staff: Client) -> None:
    made = staff.post_json(SHELVES, {"id": "top-2", "height": 180})
    staff.post_json(SHELVES, {"id": "low", "height": 180})

    changed = staff.put_json(f"{SHELVES}/top-2", {"id": "other", "height": 200})

    assert made.json == staff.get(f"{SHELVES}/top-2").json | {
        "height": 180,
        "updatedAt": made.json["createdAt"],
    }
    assert (changed.json["id"], changed.json["height"]) == ("top-2", 200)
    staff.put_json(f"{SHELVES}/top-2", {"height": 180}, headers={"If-Match": '"1"'}, status=412)
    assert [shelf["id"] for shelf in staff.get(SHELVES).json] == ["top-2", "low"]


def test_a_text_id_is_unique(staff: Client, session: Session) -> None:
    staff.post_json(SHELVES, {"id": "top"})

    refused = staff.post_json(SHELVES, {"id": "top", "height": 5}, status=400)

    assert refused.json["error"] == "id: There is one already"
    assert staff.delete(f"{SHELVES}/top").json == {"success": True}
    staff.get(f"{SHELVES}/top", status=404)
    entry = session.scalars(select(AuditEntry)).one()
    assert (entry.content_type, entry.content_id, entry.detail) == ("shelves", None, {"id": "top"})


@pytest.mark.parametrize("shelf", [None, "", "Top", "a b", "-a", "a--b", "é", 7, ["a"], "x" * 81])
def test_an_id_is_made_of_small_letters_digits_and_hyphens(staff: Client, shelf: Any) -> None:
    error = staff.post_json(SHELVES, {"id": shelf}, status=400).json["error"]

    assert error.startswith("id: ")
    assert staff.post_json(SHELVES, {}, status=400).json["error"] == "id: Required"
