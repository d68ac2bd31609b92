"""Resources whose items the public sees by endpoints of a plugin, in the change log."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import delete, update
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Bool,
    Choice,
    CsvColumn,
    CsvImport,
    Instance,
    Plugin,
    Resource,
    ResourceItem,
    Str,
    field,
    hookimpl,
    note_items,
    plugin_metadata,
    public_kinds,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, Clock

PATH, STAFF = "/api/changes", "/api/staff/changes"
NOTICES = "/api/staff/notices"


class Base(DeclarativeBase):
    metadata = plugin_metadata("board")


class Notice(ResourceItem, Base):
    __tablename__ = "board_notice"

    text: Mapped[str] = field(Str(), required=True, unique=True)
    open: Mapped[bool] = field(Bool(), default=False)
    state: Mapped[str] = field(Choice("new", "hung"), default="new")


def _take_down(_session: Any, notice: Any) -> None:
    notice.state = "new"


RESOURCE = Resource(
    name="notices",
    label="Notice",
    model=Notice,
    area="board",
    trash=True,
    before_restore=_take_down,
    public_when={"open": True, "state": "hung"},
)
COLUMNS = tuple(map(CsvColumn, ("text", "open", "state")))
CSV = CsvImport(RESOURCE, columns=COLUMNS, unique=Notice.text)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [RESOURCE]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="board", hooks=(Hooks(),), base=Base)]


class Log:
    """The changes since the last call, of the public and of staff."""

    def __init__(self, app: Client, staff: Client) -> None:
        self._readers = ((app, PATH), (staff, STAFF))
        self._cursors = [client.get(path).json["cursor"] for client, path in self._readers]

    def take(self) -> tuple[list[str], list[tuple[str, str | None]]]:
        found = []
        for place, (client, path) in enumerate(self._readers):
            answer = client.get(path, {"since": self._cursors[place]}).json
            self._cursors[place] = answer["cursor"]
            found.append(answer["changes"])
        assert {each["contentType"] for changes in found for each in changes} <= {"notices"}
        public, staff = found
        return (
            [each["change"] for each in public],
            [(each["change"], each["publicChange"]) for each in staff],
        )


@pytest.fixture
def staff(clock: Clock, app: Client) -> Client:  # noqa: ARG001 - stops the clock before
    return app.as_role("admin")


@pytest.fixture
def log(app: Client, staff: Client) -> Log:
    return Log(app, staff)


def make(staff: Client, **values: Any) -> int:
    text = f"Lost cat {uuid4()}"
    number: int = staff.post_json(NOTICES, {"text": text, **values}).json["id"]
    return number


def test_the_public_learns_of_an_item_while_it_has_all_the_values(
    clock: Clock, staff: Client, log: Log
) -> None:
    path = f"{NOTICES}/{make(staff, open=True)}"
    assert log.take() == ([], [("created", None)])

    for values, told in (
        ({"text": "Found"}, None),
        ({"open": False, "state": "hung"}, None),
        ({"open": True}, "published"),
        ({"text": "Lost dog"}, "changed"),
        ({"state": "new"}, "withdrawn"),
        ({"text": "Lost"}, None),
        ({"state": "hung"}, "published"),
    ):
        clock.shift(seconds=1)
        staff.put_json(path, values)
        assert log.take() == ([told] if told else [], [("changed", told)]), values
    staff.delete(path)
    assert log.take() == (["withdrawn"], [("deleted", "withdrawn")])
    [trashed] = staff.get("/api/staff/trash").json
    staff.post(f"/api/staff/trash/{trashed['id']}/restore")
    assert log.take() == ([], [("created", None)])
    make(staff, open=True, state="hung")
    assert log.take() == (["published"], [("created", "published")])


def test_statements_are_told_of_if_their_items_are_noted(
    clock: Clock, instance: Instance, staff: Client, log: Log
) -> None:
    numbers = [make(staff, open=True) for _ in range(2)]
    log.take()
    later = clock.now() + timedelta(seconds=1)
    for statement, told in (
        (update(Notice).values(state="hung"), "published"),
        (update(Notice).values(text="Gone " + Notice.text, updated_at=later), "changed"),
        (delete(Notice), "withdrawn"),
    ):
        clock.shift(seconds=1)
        with instance.database.transaction() as session:
            note_items(session, [session.get_one(Notice, number) for number in numbers])
            session.execute(statement)
        assert log.take()[0] == [told] * 2, told


def test_imported_rows_are_told_of(instance: Instance, log: Log) -> None:
    content = b"text,open,state\nLost cat,true,hung\nLost dog,false,hung\n"

    assert str(CSV.run(instance, io.BytesIO(content))) == "imported 2, skipped 0, errors 0"

    public, staff = log.take()
    assert public == ["published"]
    assert sorted(staff, key=str) == [("created", "published"), ("created", None)]


def test_a_change_that_is_undone_is_not_told_of(
    instance: Instance, staff: Client, log: Log
) -> None:
    number = make(staff, open=True)
    log.take()
    with instance.database.transaction() as session:
        notice = session.get_one(Notice, number)
        notice.state = "hung"
        session.flush()
        notice.state = "new"
    assert log.take()[0] == []


def test_it_is_a_kind_that_the_public_sees_without_public_endpoints(
    app: Client, instance: Instance
) -> None:
    assert [each.name for each in public_kinds(instance)] == ["notices"]
    app.get("/api/notices", status=404)
    app.get(PATH, {"types": "others"}, status=400)
    assert app.get(PATH, {"types": "notices"}).json["changes"] == []
