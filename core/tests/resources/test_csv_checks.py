"""Rows of a CSV file that the database or a plugin refuses: wrong references, and objections."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Table, event, func, select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Bool,
    CsvColumn,
    CsvImport,
    CsvOptions,
    Instance,
    Line,
    Objection,
    Plugin,
    Publication,
    PublicationWay,
    PublicChange,
    PublicRoutes,
    Ref,
    Refs,
    Refused,
    Resource,
    ResourceItem,
    StagedUpdate,
    field,
    hookimpl,
    plugin_metadata,
    public_changes,
    utcnow,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, ResourceContract

LAMPS = "/api/staff/lamps"
CALLED: list[list[int]] = []
"""The ids of the lamps that each call of ``after_commit`` got."""


class Base(DeclarativeBase):
    metadata = plugin_metadata("house")


class Room(ResourceItem, Base):
    __tablename__ = "house_room"

    name: Mapped[str] = field(Line(), required=True)


class Lamp(ResourceItem, Base):
    __tablename__ = "house_lamp"

    name: Mapped[str] = field(Line(), required=True, unique=True)
    code: Mapped[str | None] = field(Line(), unique=True)
    room_id: Mapped[int | None] = field(Ref("rooms"))
    seen_from: Mapped[list[int] | None] = field(Refs("rooms", embed="views", max_length=3))
    published: Mapped[bool] = field(Bool(), default=True, public=False)


ROOMS = Resource("rooms", "Room", Room, "house")
RESOURCE = Resource(
    "lamps",
    "Lamp",
    Lamp,
    "house",
    public=PublicRoutes(),
    search_fields=("name",),
    after_commit=lambda _instance, ids: CALLED.append(list(ids)),
)
COLUMNS = tuple(map(CsvColumn, ("name", "code", "roomId", "seenFrom", "published")))
LAMPS_CSV = CsvImport(RESOURCE, columns=COLUMNS, unique=Lamp.name)


def count_known(session: Session, staged: Table) -> int:
    known = select(func.count()).where(Lamp.name.in_(select(staged.c.name)))
    return session.scalar(known) or 0


def publish_known(session: Session, staged: Table, moment: datetime) -> int:
    known = Lamp.name.in_(select(staged.c.name)), ~Lamp.published
    done = session.execute(update(Lamp).where(*known).values(published=True, updated_at=moment))
    return int(getattr(done, "rowcount", 0))


UPDATING_CSV = CsvImport(
    RESOURCE,
    columns=COLUMNS,
    unique=Lamp.name,
    update=StagedUpdate(count_known, publish_known),
)


class Gate:
    """Objects to items whose names contain a word, and to those in some rooms."""

    def __init__(self) -> None:
        self.asked: list[Publication] = []
        self.calls = 0
        self.dark: set[int] = set()

    @hookimpl
    def masthead_publishing(self, publications: Sequence[Publication]) -> list[Objection]:
        self.asked += publications
        self.calls += 1
        ugly = [Objection(it, "name", "Too ugly") for it in publications if "Ugly" in it.title]
        dark = [it for it in publications if it.values.get("roomId") in self.dark]
        return ugly + [Objection(it, "roomId", "Too dark") for it in dark]


GATE = Gate()


class Hooks:
    changes: list[PublicChange] = []

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [ROOMS, RESOURCE]

    @hookimpl
    def masthead_committing(self, session: Session) -> None:
        self.changes += public_changes(session, utcnow())


@pytest.fixture
def plugins() -> list[Plugin]:
    house = Plugin(name="house", hooks=(Hooks(),), base=Base)
    return [core, house, Plugin(name="gate", hooks=(GATE,))]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def rooms(staff: Client) -> list[int]:
    """The ids of three rooms."""
    made = [staff.post_json("/api/staff/rooms", {"name": name}).json for name in "abc"]
    GATE.asked.clear()
    GATE.calls = 0
    GATE.dark = set()
    return [each["id"] for each in made]


class TestLamps(ResourceContract):
    resource = RESOURCE
    csv = LAMPS_CSV
    csv_file = "name,roomId\nFloor lamp,\n"


def names(staff: Client, **query: Any) -> list[str]:
    return [lamp["name"] for lamp in reversed(staff.get(LAMPS, query).json)]


def run(instance: Instance, content: str, **options: Any) -> Any:
    return LAMPS_CSV.run(instance, io.BytesIO(content.encode()), **options)


def test_cells_have_the_ids_of_references(
    instance: Instance, staff: Client, rooms: list[int]
) -> None:
    one, two, three = rooms
    content = f"name;roomId;seenFrom\nA; {one} ;{two}, {three},{two}\nB;;\nC;{two};{one} {three}\n"

    assert str(run(instance, content)) == "imported 3, skipped 0, errors 0"
    shown = [(it["roomId"], it["seenFrom"]) for it in reversed(staff.get(LAMPS).json)]
    assert shown == [(one, [two, three]), (None, None), (two, [one, three])]
    assert names(staff, roomId=two) == ["C"]
    assert names(staff, seenFrom=three) == ["A", "C"]
    refused = staff.delete(f"/api/staff/rooms/{three}", status=400).json["error"]
    assert "lamps" in refused


def test_a_wrong_id_is_an_error_of_its_row(
    instance: Instance, staff: Client, rooms: list[int]
) -> None:
    one, lost = rooms[0], 99
    content = (
        "name,roomId,seenFrom\n"
        f"A,{one},{one}\n"
        f"B,{lost},\n"
        f'C,{one},"{one},{lost}"\n'
        "D,x,\n"
        'E,,"1,x"\n'
        "F,0,\n"
        f"G,{10**30},\n"
        '"H",,"1,2,3,4"\n'
    )
    refused = io.StringIO()

    for dry_run in (True, False):
        options = CsvOptions(refused=io.StringIO() if dry_run else refused)
        report = run(instance, content, options=options, dry_run=dry_run)
        assert str(report) == "imported 1, skipped 0, errors 7"
        assert [tuple(each) for each in report.errors] == [
            (3, "roomId: There is no item 99 of rooms"),
            (4, "seenFrom.1: There is no item 99 of rooms"),
            (5, "roomId: Must be an integer"),
            (6, "seenFrom: Must be an integer"),
            (7, "roomId: Must be between 1 and 9223372036854775807"),
            (8, "roomId: Must be between 1 and 9223372036854775807"),
            (9, "seenFrom: At most 3 elements"),
        ]
        assert [row.row for row in report.preview] == [2]
    assert names(staff) == ["A"]
    lines = refused.getvalue().splitlines()
    assert len(lines) == 8
    assert lines[0] == "error,name,roomId,seenFrom"
    assert f"roomId: There is no item 99 of rooms,B,{lost}," in lines


def test_references_are_checked_by_as_many_statements_for_a_row_as_for_many(
    instance: Instance, rooms: list[int]
) -> None:
    counts, statements = [], list[str]()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(instance.database.engine, "before_cursor_execute", note)
    try:
        for number in (1, 40):
            rows = (f"{number} {each},{rooms[0]},{rooms[1]}\n" for each in range(number))
            statements.clear()
            assert run(instance, "name,roomId,seenFrom\n" + "".join(rows)).imported == number
            counts.append(sum("house_room" in each for each in statements))
    finally:
        event.remove(instance.database.engine, "before_cursor_execute", note)
    assert counts == [1, 1]


def test_plugins_are_asked_about_each_row_that_becomes_public(
    instance: Instance, staff: Client, app: Client, rooms: list[int], session: Session
) -> None:
    content = (
        "name,published,seenFrom\n"
        f"Plain,true,{rooms[0]}\nUgly,true,{rooms[1]}\nUgly draft,false,\nNice,,\nUgly too,1,\n"
    )
    refused = io.StringIO()
    expected = [(3, "name: Too ugly"), (6, "name: Too ugly")]

    tried = run(instance, content, dry_run=True)
    assert (str(tried), [tuple(it) for it in tried.errors]) == (
        "imported 3, skipped 0, errors 2",
        expected,
    )
    assert names(staff) == []
    GATE.calls = 0
    GATE.asked.clear()
    CALLED.clear()
    Hooks.changes.clear()
    report = run(instance, content, options=CsvOptions(refused=refused))

    assert str(report) == "imported 3, skipped 0, errors 2"
    assert [tuple(each) for each in report.errors] == expected
    assert [row.values["name"] for row in report.preview] == ["Plain", "Ugly draft"]
    assert names(staff) == ["Plain", "Ugly draft", "Nice"]
    assert names(staff, search="ugly") == ["Ugly draft"]
    assert sorted(each["name"] for each in app.get("/api/lamps").json) == ["Nice", "Plain"]
    staff.delete(f"/api/staff/rooms/{rooms[1]}")
    assert refused.getvalue().splitlines()[1:] == [
        f"name: Too ugly,Ugly,true,{rooms[1]}",
        "name: Too ugly,Ugly too,1,",
    ]
    assert GATE.calls == 1
    assert {each.way for each in GATE.asked} == {PublicationWay.IMPORT}
    assert [each.title for each in GATE.asked] == ["Plain", "Ugly", "Nice", "Ugly too"]
    ids = session.scalars(select(Lamp.id).order_by(Lamp.id)).all()
    assert [sorted(each) for each in CALLED] == [ids]
    seen = {(each.change, each.item_id) for each in Hooks.changes if each.content_type == "lamps"}
    assert seen == {("published", item_id) for item_id in (ids[0], ids[2])}


def test_a_refused_row_leaves_its_unique_values_to_later_rows(
    instance: Instance, staff: Client, app: Client, rooms: list[int]
) -> None:
    dark, light, _ = rooms
    run(instance, f"name,code,roomId\nKnown,k,{light}\n")
    GATE.dark, GATE.asked, GATE.calls = {dark}, [], 0
    content = (
        "name,code,roomId,published\n"
        f"A,,{dark},\nA,,{light},\nA,,{light},\n"
        f"B,,{light},\nB,,{dark},\n"
        f"C,,{dark},\nC,,{dark},\nC,,{dark},false\n"
        f"D,d,{dark},\nE,d,{light},\nF,d,{light},\n"
        f"G,,{dark},\nKnown,,{light},\nH,k,{light},\n"
    )

    for dry_run in (True, False):
        report = run(instance, content, dry_run=dry_run)
        # The second row of C is skipped in favour of the first, until that one is refused.
        assert str(report) == "imported 4, skipped 5, errors 5"
        assert {each.error for each in report.errors} == {"roomId: Too dark"}
        assert [each.row for each in report.errors] == [2, 7, 8, 10, 13]
    lamps = {each["name"]: each["roomId"] for each in staff.get(LAMPS).json}
    assert lamps == {"Known": light, "A": light, "B": light, "C": dark, "E": light}
    assert names(staff, search="A") == ["A"]
    assert sorted(each["name"] for each in app.get("/api/lamps").json) == ["A", "B", "E", "Known"]
    # Each of the three rounds asks about the rows that it inserts, and not again about others.
    titles = [each.title for each in GATE.asked]
    assert titles[len(titles) // 2 :] == ["A", "B", "C", "D", "G", "A", "C", "E"]


def test_rows_in_place_of_refused_ones_are_tried_a_few_times(
    instance: Instance, staff: Client, rooms: list[int]
) -> None:
    dark, light, _ = rooms
    GATE.dark = {dark}
    content = "name,roomId\n" + f"A,{dark}\n" * 30 + f"B,{light}\nB,{light}\nA,{light}\n"
    refused = io.StringIO()

    report = run(instance, content, options=CsvOptions(refused=refused))
    assert str(report) == "imported 1, skipped 1, errors 31"
    reasons = [each.error for each in report.errors]
    assert reasons[:10] == ["roomId: Too dark"] * 10
    assert set(reasons[10:]) == {"Not tried after objections to many rows before; import it again"}
    assert GATE.calls == 10
    assert names(staff) == ["B"]
    assert len(refused.getvalue().splitlines()) == 32
    GATE.dark.clear()
    again = run(instance, refused.getvalue())
    assert str(again) == "imported 1, skipped 30, errors 0"


@pytest.mark.usefixtures("rooms")
def test_plugins_are_asked_once_about_each_of_many_rows(instance: Instance, staff: Client) -> None:
    numbers = range(1203)
    ugly = {0, 499, 500, 1000, 1202}
    titles = [f"{'Ugly' if each in ugly else 'Lamp'} {each}" for each in numbers]
    report = run(instance, "name\n" + "\n".join(titles))

    assert str(report) == "imported 1198, skipped 0, errors 5"
    assert [each.row for each in report.errors] == [each + 2 for each in sorted(ugly)]
    assert [each.title for each in GATE.asked] == titles
    assert len(names(staff, search="lamp", limit=100)) == 100
    assert names(staff, search="ugly") == []


@pytest.mark.usefixtures("rooms")
def test_plugins_are_asked_once_about_each_of_many_changed_items(instance: Instance) -> None:
    numbers = range(1100)
    run(instance, "name,published\n" + "".join(f"Lamp {each},false\n" for each in numbers))
    content = "name,published\n" + "".join(f"Lamp {each},true\n" for each in numbers) + "New,\n"
    report = UPDATING_CSV.run(instance, io.BytesIO(content.encode()))

    assert str(report) == "imported 1, updated 1100, skipped 0, errors 0"
    assert [each.title for each in GATE.asked] == ["New", *(f"Lamp {each}" for each in numbers)]


def test_the_first_errors_are_listed_whichever_check_finds_them(
    instance: Instance, rooms: list[int]
) -> None:
    wrong = "".join(f"{each},x\n" for each in range(1005))
    report = run(instance, f"name,roomId\nLost,99\nUgly,{rooms[0]}\n{wrong}Late,99\n")

    assert str(report) == "imported 0, skipped 0, errors 1008"
    assert [each.row for each in report.errors] == list(range(2, 1002))
    assert [each.error for each in report.errors[:3]] == [
        "roomId: There is no item 99 of rooms",
        "name: Too ugly",
        "roomId: Must be an integer",
    ]
    assert report.preview == []


def test_an_objection_to_a_change_of_an_existing_item_refuses_the_file(
    instance: Instance, staff: Client, app: Client, make_user: Callable[..., Any]
) -> None:
    run(instance, "name,published\nUgly,false\nPlain,false\n")
    ada = make_user("ada", role="editor")
    GATE.asked.clear()

    def again(name: str, *, dry_run: bool) -> str:
        file = io.BytesIO(f"name,published\n{name},true\nNew,true\n".encode())
        return str(UPDATING_CSV.run(instance, file, dry_run=dry_run, actor_id=ada.id))

    for dry_run in (True, False):
        with pytest.raises(Refused, match="Too ugly"):
            again("Ugly", dry_run=dry_run)
        assert names(staff) == ["Ugly", "Plain"]
        assert app.get("/api/lamps").json == []
    for dry_run in (True, False):
        assert names(staff) == ["Ugly", "Plain"]
        assert again("Plain", dry_run=dry_run) == "imported 1, updated 1, skipped 0, errors 0"
    assert sorted(each["name"] for each in app.get("/api/lamps").json) == ["New", "Plain"]
    callers = [each.caller for each in GATE.asked]
    assert {caller and caller.username for caller in callers} == {"ada"}
    assert all(caller and caller.may("house.write") for caller in callers)
