"""The staff endpoints of a resource, and the import of its items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import (
    Bool,
    Choice,
    Email,
    Int,
    Invalid,
    ItemSave,
    Plugin,
    Refused,
    Resource,
    ResourceItem,
    Str,
    Timestamp,
    field,
    forget_person,
    hookimpl,
    person_data,
    plugin_metadata,
    unique,
)
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.instance import Instance
from masthead.resources.jsonl import import_lines
from masthead.resources.jsonl_import import resource_importer
from masthead.testing.client import Client

TOOLS = "/api/staff/tools"
SPADE = {"name": "Spade", "length": 120}


class Base(DeclarativeBase):
    metadata = plugin_metadata("shed")


class Tool(ResourceItem, Base):
    __tablename__ = "shed_tool"

    name: Mapped[str] = field(Str(), required=True, unique=True)
    kind: Mapped[str] = field(Choice("hand", "power"), default="hand")
    state: Mapped[str] = field(Choice("whole", "broken"), required=True, default="whole")
    length: Mapped[int | None] = field(Int(0))
    count: Mapped[int] = field(Int(), default=1)
    manual: Mapped[str | None] = field(Str(2_000), listed=False)
    line_2: Mapped[str | None] = field(Str())
    is_a_gift: Mapped[bool] = field(Bool(), default=False)
    owner: Mapped[str | None] = field(Email(), listed=False)
    published: Mapped[bool] = field(Bool(), default=False)
    x_2_y: Mapped[int] = mapped_column(default=2)

    @property
    def reach_2(self) -> int:
        return self.x_2_y + 1


def check(_session: Session, save: ItemSave) -> None:
    values = save.after
    if values["kind"] == "power" and not values["manual"]:
        raise Invalid("manual: A power tool needs one")
    if values["count"] < 1:
        raise Invalid("count: At least one")


def flush(session: Session, tools: Sequence[Tool]) -> None:
    with unique(session, "name: There is one already", Tool.name):
        session.add_all(tools)


def before_delete(_session: Session, tools: Sequence[Tool]) -> None:
    if any(tool.kind == "power" for tool in tools):
        raise Refused("It is too dear")


RESOURCE = Resource(
    name="tools",
    label="Tool",
    model=Tool,
    area="shed",
    order=("-length", "isAGift", "name"),
    filters=("kind", "published", "line2"),
    search_fields=("name", "line2"),
    person="owner",
    shows={
        "x2Y": Int(),
        "reach_2": Int(),
        "worn": Bool(),
        "createdAt": Timestamp(),
        "updatedAt": Timestamp(),
    },
    computed={"worn": lambda tool: tool.state == "broken"},
    before_change=check,
    flush=flush,
    before_delete=before_delete,
)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [RESOURCE]


SHED = Plugin(name="shed", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, SHED]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


def create(staff: Client, **values: Any) -> Any:
    return staff.post_json(TOOLS, SPADE | values).json


def names(staff: Client, **query: Any) -> list[str]:
    return [tool["name"] for tool in staff.get(TOOLS, query).json]


def test_a_create_answers_what_the_detail_shows(staff: Client) -> None:
    answer = staff.post_json(TOOLS, SPADE)

    shown = staff.get(f"{TOOLS}/{answer.json['id']}")
    assert shown.json == answer.json
    assert shown.headers["ETag"] == answer.headers["ETag"] == '"1"'
    assert {n: answer.json[n] for n in ("name", "kind", "length", "manual", "published")} == {
        **SPADE,
        "kind": "hand",
        "manual": None,
        "published": False,
    }
    assert answer.json["createdAt"] == answer.json["updatedAt"]


def test_lists_leave_out_what_is_not_listed(staff: Client) -> None:
    create(staff, manual="Dig.")

    [tool] = staff.get(TOOLS).json

    assert "manual" not in tool
    assert tool["name"] == "Spade"


def test_a_wire_name_may_differ_from_the_attribute(staff: Client) -> None:
    gift = create(staff, name="Fork", line2="Oak", isAGift=True)
    create(staff)
    path = f"{TOOLS}/{gift['id']}"

    assert [gift[name] for name in ("line2", "isAGift", "x2Y", "reach_2", "worn")] == [
        "Oak",
        True,
        2,
        3,
        False,
    ]
    assert names(staff) == ["Spade", "Fork"]
    assert names(staff, line2="Oak") == names(staff, search="oak") == ["Fork"]
    assert staff.put_json(path, {"line2": "Elm"}).json["line2"] == "Elm"
    assert staff.get(path).json["isAGift"] is True


def test_a_list_is_ordered_with_nulls_last_and_paged(staff: Client) -> None:
    # Text is ordered by code points, whatever the locale of the database.
    for name, length in [("Rope", None), ("axe", 150), ("Äxte", 150), ("Hoe", 150), ("Fork", 110)]:
        create(staff, name=name, length=length)

    page = staff.get(TOOLS, {"limit": 2, "offset": 1})

    assert names(staff) == ["Hoe", "axe", "Äxte", "Fork", "Rope"]
    assert [tool["name"] for tool in page.json] == ["axe", "Äxte"]
    assert page.headers["X-Total-Count"] == "5"


def test_a_list_is_filtered_by_all_its_filters_together(staff: Client) -> None:
    create(staff, name="Saw", kind="power", manual="Wear goggles.", published=True)
    create(staff, name="Drill", kind="power", manual="Wear goggles.")
    create(staff, name="Hoe", published=True)

    assert names(staff, kind="power") == ["Drill", "Saw"]
    assert names(staff, kind="power", published="true") == ["Saw"]
    assert names(staff, kind="hand", published="0") == []
    assert names(staff, unknown="x") == ["Drill", "Hoe", "Saw"]
    assert "kind" in staff.get(TOOLS, {"kind": "toy"}, status=400).json["error"]


def test_an_update_changes_what_was_sent_and_raises_the_revision(staff: Client) -> None:
    tool = create(staff, manual="Dig.")

    answer = staff.put_json(f"{TOOLS}/{tool['id']}", {"length": 90})

    assert answer.json | {"updatedAt": tool["updatedAt"]} == tool | {"length": 90}
    assert answer.headers["ETag"] == '"2"'


def test_an_update_that_changes_nothing_raises_no_revision(staff: Client) -> None:
    tool = create(staff)

    answer = staff.put_json(f"{TOOLS}/{tool['id']}", SPADE)

    assert answer.json == tool
    assert answer.headers["ETag"] == '"1"'


def test_null_clears_optional_fields_only(staff: Client) -> None:
    tool = create(staff)
    path = f"{TOOLS}/{tool['id']}"

    assert staff.put_json(path, {"length": None, "kind": None}).json["length"] is None
    assert "name" in staff.put_json(path, {"name": None}, status=400).json["error"]
    assert "name" in staff.put_json(path, {"name": "  "}, status=400).json["error"]


def test_a_required_field_with_a_default_may_be_absent_but_not_null(staff: Client) -> None:
    tool = create(staff)
    path = f"{TOOLS}/{tool['id']}"
    broken = staff.put_json(path, {"state": "broken"}).json

    assert tool["state"] == "whole"
    assert "state" in staff.post_json(TOOLS, {**SPADE, "state": None}, status=400).json["error"]
    assert "state" in staff.put_json(path, {"state": None}, status=400).json["error"]
    assert staff.get(path).json == broken


def test_a_change_of_an_older_revision_is_refused(staff: Client) -> None:
    tool = create(staff)
    path = f"{TOOLS}/{tool['id']}"
    staff.put_json(path, {"length": 90})

    staff.put_json(path, {"length": 80}, headers={"If-Match": '"1"'}, status=412)
    staff.put_json(path, {"length": 80, "etag": "1"}, status=400)

    assert staff.get(path).json["length"] == 90
    staff.put_json(path, {"length": 80}, headers={"If-Match": '"2"'})


def test_a_partial_update_is_checked_together_with_the_present_values(staff: Client) -> None:
    tool = create(staff, manual="Dig.")
    path = f"{TOOLS}/{tool['id']}"
    refused = {"error": "manual: A power tool needs one"}

    assert staff.post_json(TOOLS, SPADE | {"kind": "power"}, status=400).json == refused
    staff.put_json(path, {"kind": "power"})
    assert staff.put_json(path, {"manual": ""}, status=400).json == refused


def test_an_absent_field_is_checked_with_its_default(staff: Client, instance: Instance) -> None:
    assert create(staff)["count"] == create(staff, name="Hoe", count=None)["count"] == 1
    assert (
        staff.post_json(TOOLS, SPADE | {"count": 0}, status=400).json["error"].startswith("count")
    )

    lines = [json.dumps(line).encode() for line in ({"name": "Rake"}, {"name": "Saw", "count": 0})]
    imported = list(
        import_lines(instance, resource_importer(RESOURCE), lines, publish=False, actor=None)
    )

    assert [line.error for line in imported] == [None, "count: At least one"]
    assert [tool["count"] for tool in staff.get(TOOLS).json] == [1, 1, 1]


def test_a_duplicate_of_a_unique_value_is_refused_and_nothing_saved(staff: Client) -> None:
    create(staff)
    hoe = create(staff, name="Hoe")
    refused = {"error": "name: There is one already"}

    assert staff.post_json(TOOLS, SPADE, status=400).json == refused
    path = f"{TOOLS}/{hoe['id']}"
    assert staff.put_json(path, {"name": "Spade", "length": 1}, status=400).json == refused
    assert staff.get(path).json == hoe


def test_a_delete_is_permanent_unless_the_resource_refuses_it(staff: Client) -> None:
    spade = create(staff)
    saw = create(staff, name="Saw", kind="power", manual="Wear goggles.")

    assert staff.delete(f"{TOOLS}/{spade['id']}").json == {"success": True}
    refused = staff.delete(f"{TOOLS}/{saw['id']}", status=400)

    assert refused.json == {"error": "It is too dear"}
    assert names(staff) == ["Saw"]
    for method in (staff.get, staff.delete):
        method(f"{TOOLS}/{spade['id']}", status=404)
    staff.put_json(f"{TOOLS}/{spade['id']}", {}, status=404)


def test_publishing_and_deleting_are_audited(staff: Client, session: Session) -> None:
    tool = create(staff)
    path = f"{TOOLS}/{tool['id']}"

    staff.put_json(path, {"published": True})
    staff.put_json(path, {"length": 10})
    staff.put_json(path, {"published": False})
    staff.delete(path)

    entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [(e.action, e.content_type, e.content_id) for e in entries] == [
        ("content.publish", "tools", tool["id"]),
        ("content.unpublish", "tools", tool["id"]),
        ("content.delete", "tools", tool["id"]),
    ]


def test_the_items_about_a_person_are_listed_and_erased(staff: Client, instance: Instance) -> None:
    rake, hoe = (create(staff, name=name, owner="Ada@example.org") for name in ("Rake", "Hoe"))
    saw = create(staff, name="Saw", owner="ada@example.org")
    # An item that is handed over belongs to the new person only.
    staff.put_json(f"{TOOLS}/{saw['id']}", {"owner": "eve@example.org"})
    create(staff)

    with instance.database.transaction() as session:
        told = person_data(session, ["ada@example.org"], None).data
        forget_person(session, "ada@example.org")
        forget_person(session, "nobody@example.org")

    assert told == {"tools": [rake, hoe]}
    assert names(staff) == ["Saw", "Spade"]
    assert names(staff, search="rake") == []


@given(
    body=st.dictionaries(
        st.sampled_from(["name", "kind", "length", "manual", "published", "etag"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text()
        | st.lists(st.text()),
    )
)
@settings(max_examples=60)
def test_any_body_is_stored_or_refused(staff: Client, body: dict[str, Any]) -> None:
    answer = staff.post_json(TOOLS, body, expect_errors=True)

    assert answer.status_int in (200, 400)
