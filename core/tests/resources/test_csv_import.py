"""The import of a resource's items from CSV files, as a plugin declares it."""

from __future__ import annotations

import io
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import ColumnElement, ForeignKey, func, literal, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import (
    KEY,
    Approvable,
    ApprovableItem,
    Bool,
    Choice,
    CsvColumn,
    CsvImport,
    Date,
    Filter,
    Html,
    Instance,
    Int,
    Invalid,
    ItemSave,
    ListOf,
    NamedItem,
    Number,
    Plugin,
    Resource,
    ResourceItem,
    StartError,
    Str,
    Timestamp,
    UTCDateTime,
    field,
    fold,
    hookimpl,
    plugin_metadata,
)
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.testing import Client

PLANTS = "/api/staff/plants"


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


class Plant(ResourceItem, Base):
    __tablename__ = "garden_plant"

    name: Mapped[str] = field(Str(), required=True)
    code: Mapped[str | None] = field(Str(10))
    code_key: Mapped[str | None] = mapped_column(KEY, unique=True)
    label: Mapped[str | None] = field(Str(), unique=True)
    height: Mapped[int | None] = field(Int(0, 100))
    hardy: Mapped[bool] = field(Bool(), default=False)
    light: Mapped[str] = field(Choice("Sun", "Half shade"), required=True, default="Sun")
    sown: Mapped[datetime | None] = field(Timestamp())
    price: Mapped[Decimal | None] = field(Number(0))
    dug_on: Mapped[date | None] = field(Date())
    care: Mapped[str | None] = field(Html())
    uses: Mapped[list[str]] = field(ListOf(Str(10)), default=list)
    bed: Mapped[str] = field(Str(), default="nursery")
    listed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    stock: Mapped[int] = mapped_column(default=3)


class Use(Base):
    __tablename__ = "garden_use"

    item_id: Mapped[int] = mapped_column(ForeignKey(Plant.id), primary_key=True)
    use_key: Mapped[str] = mapped_column(KEY, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime())
    bed: Mapped[str]


class Shelf(NamedItem, Base):
    __tablename__ = "garden_shelf"

    row: Mapped[str] = field(Str(), unique=True, default="")


class Offer(ResourceItem, ApprovableItem, Base):
    __tablename__ = "garden_offer"

    row: Mapped[str] = field(Str(), unique=True, default="")


def check(session: Session, save: ItemSave) -> None:
    assert session.scalar(select(1)) == 1
    if save.after["height"] and not save.after["code"]:
        raise Invalid("code: A measured plant needs one")


def is_used(source: Any, use: str) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = source.use_key == fold(use)
    return condition


def split_uses(cell: str) -> list[str]:
    return cell.split("/")


def is_reserved(key: ColumnElement[Any]) -> ColumnElement[bool]:
    return key == literal("x0")


RESOURCE = Resource(
    name="plants",
    label="Plant",
    model=Plant,
    area="garden",
    filters=("bed",),
    custom_filters={"use": Filter(Str(), is_used, through=Use)},
    search_fields=("name", "care"),
    before_change=check,
)
COLUMNS = (
    CsvColumn("name", ("Latin name",)),
    CsvColumn("code"),
    CsvColumn("label"),
    CsvColumn("height"),
    CsvColumn("hardy"),
    CsvColumn("light"),
    CsvColumn("sown"),
    CsvColumn("price"),
    CsvColumn("dugOn"),
    CsvColumn("care", first_only=True),
    CsvColumn("uses"),
)
PLANTS_CSV = CsvImport(
    RESOURCE,
    columns=COLUMNS,
    unique=Plant.code_key,
    parse={"uses": split_uses},
    derived={
        Plant.code_key: lambda values: fold(values["code"]) if values["code"] else None,
        Plant.listed_at: lambda values: values["createdAt"] if values["hardy"] else None,
    },
    links={Use.use_key: lambda values: list(dict.fromkeys(map(fold, values["uses"])))},
    taken=is_reserved,
)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [RESOURCE]


GARDEN = Plugin(name="garden", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, GARDEN]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


def run(instance: Instance, content: str, **options: Any) -> str:
    return str(PLANTS_CSV.run(instance, io.BytesIO(content.encode()), **options))


def names(staff: Client, **query: str) -> list[str]:
    return [plant["name"] for plant in reversed(staff.get(PLANTS, query).json)]


def test_the_types_of_the_fields_read_the_cells(instance: Instance, staff: Client) -> None:
    content = (
        "Latin name;code;height;hardy;light;sown;care;uses;price;dugOn\n"
        "Salvia;S1; 40 ;TRUE;half SHADE;2026-03-01;<p>Cut<script></script></p> ::: b;Tea/x;"
        " 12.5 ;2026-03-01\nMentha;;;;;;;;;\n"
    )

    assert run(instance, content) == "imported 2, skipped 0, errors 0"
    mentha, salvia = staff.get(PLANTS).json
    shown = ("code", "height", "hardy", "light", "sown", "care", "uses", "bed", "price", "dugOn")
    assert [salvia[name] for name in shown] == [
        "S1",
        40,
        True,
        "Half shade",
        "2026-03-01T00:00:00.000Z",
        "<p>Cut</p>",
        ["Tea", "x"],
        "nursery",
        "12.50",
        "2026-03-01",
    ]
    empty = [None, None, False, "Sun", None, None, [], "nursery", None, None]
    assert [mentha[name] for name in shown] == empty
    assert staff.put_json(f"{PLANTS}/{mentha['id']}", {"code": "m"}).headers["ETag"] == '"2"'
    assert staff.post_json(PLANTS, {"name": "Later"}).json["id"] > mentha["id"]


def test_items_are_found_by_words_and_links(
    instance: Instance, staff: Client, session: Session
) -> None:
    run(instance, "name,hardy,care,uses\nSalvia,1,<p>dry soil</p>,Tea/tea\nMentha,,,Tea/Bath\n")

    assert names(staff, search="soil") == names(staff, search="salv") == ["Salvia"]
    assert names(staff, use="TEA") == ["Salvia", "Mentha"]
    assert names(staff, use="bath") == ["Mentha"]
    assert {(use.bed, use.created_at) for use in session.scalars(select(Use))} == {
        ("nursery", session.scalar(select(Plant.created_at).limit(1)))
    }
    rows = session.execute(select(Plant.listed_at == Plant.created_at, Plant.stock, Plant.revision))
    assert list(rows) == [(True, 3, 1), (None, 3, 1)]


def test_rows_of_known_items_are_skipped(
    instance: Instance, staff: Client, session: Session
) -> None:
    first = "name,code,uses\nA,a1,x\nB,A1,y\nC,,z\nD,,z\nReserved,x0,r\n"
    again = "name,code,uses\nE,a1,x\nF,f1,f\nG,F1,g\nH,,h\n"

    assert run(instance, first, dry_run=True) == "imported 3, skipped 2, errors 0"
    assert names(staff) == []
    assert run(instance, first) == "imported 3, skipped 2, errors 0"
    assert run(instance, again, dry_run=True) == "imported 2, skipped 2, errors 0"
    assert run(instance, again) == "imported 2, skipped 2, errors 0"
    assert names(staff) == ["A", "C", "D", "F", "H"]
    assert session.scalar(select(func.count()).select_from(Use)) == 5
    assert names(staff, search="g") == names(staff, search="reserved") == []


def test_a_row_that_breaks_another_unique_constraint_is_skipped(
    instance: Instance, staff: Client
) -> None:
    content = "name,label,uses\nA,one,x\nB,one,y\nC,two,z\n"

    assert run(instance, content) == "imported 2, skipped 1, errors 0"
    assert names(staff) == ["A", "C"]
    assert names(staff, use="y") == names(staff, search="b") == []


def test_rows_with_errors_are_reported_by_line(instance: Instance, staff: Client) -> None:
    content = (
        "name,code,height,hardy,light,sown,uses\n"
        ",,,,,,\n"
        ",a,,,,,\n"
        "A,much too long,,,,,\n"
        "A,,x,,,,\n"
        "A,,4,,,,\n"
        "A,,,maybe,,,\n"
        "A,,,,moon,,\n"
        "A,,,,,soon,\n"
        "A,,,,,,a/much too long\n"
        "A,,,,,,,more\n"
        "\x1f,c,,,,,\n"
        "Good,g,4,,,,\n"
    )

    report = PLANTS_CSV.run(instance, io.BytesIO(content.encode()))

    assert [f"line {each.row}: {each.error}" for each in report.errors] == [
        "line 3: name: Required",
        "line 4: code: At most 10 characters",
        "line 5: height: Must be an integer",
        "line 6: code: A measured plant needs one",
        "line 7: hardy: Must be true or false",
        "line 8: light: Must be one of Sun, Half shade",
        "line 9: sown: Must be an ISO 8601 date-time",
        "line 10: uses: At most 10 characters",
        "line 11: Has 8 cells where the header has 7",
        "line 12: name: Must not contain control characters",
    ]
    assert str(report) == "imported 1, skipped 0, errors 10"
    assert names(staff) == ["Good"]


def test_a_report_names_used_and_ignored_columns_and_shows_three_rows(instance: Instance) -> None:
    content = (
        " Latin name ;x;code;;;uses;light;\n"
        ";;;;;;;\n;bad;;;;;;\nSalvia;1;S1;;;tea/bath;;\nMentha;2;;;?;;sun;\nB;;;;;;;\nC;;;;;;;\n"
    )

    for dry_run in (True, False):
        report = PLANTS_CSV.run(instance, io.BytesIO(content.encode()), dry_run=dry_run)

        assert list(report.explain()) == [
            "columns: Latin name → name, code → code, uses → uses, light → light",
            "columns left out: x, column 5",
            "line 4 is read as name: Salvia; code: S1; light: Sun; uses: tea, bath",
            "line 5 is read as name: Mentha; light: Sun",
            "line 6 is read as name: B; light: Sun",
            "line 3: name: Required",
        ]
        assert report.answer()["ignoredColumns"] == ["x", "column 5"]


def test_a_report_shows_the_values_as_json(instance: Instance) -> None:
    content = "name;code;height;hardy;sown;care;uses\nA;c;4;true;2026-03-01;<p>\u202e</p>;tea\n"

    report = PLANTS_CSV.run(instance, io.BytesIO(content.encode()), dry_run=True)

    assert report.answer()["preview"][0].values == {
        "name": "A",
        "code": "c",
        "height": 4,
        "hardy": True,
        "sown": "2026-03-01T00:00:00.000Z",
        "care": "<p>\u202e</p>",
        "uses": ["tea"],
    }
    assert "care: <p>\\u202e</p>" in list(report.explain())[1]


def test_a_caller_can_replace_defaults(instance: Instance, staff: Client) -> None:
    run(instance, "name\nA\n", defaults={"bed": "north", "hardy": True})

    [plant] = staff.get(PLANTS, {"bed": "north"}).json
    assert plant["hardy"] is True


@pytest.mark.parametrize("content", ["code\nx\n", "", 'name\nA\n"B\n', "name,name\nA,A\n"])
def test_a_file_that_is_no_table_is_refused_and_stores_nothing(
    instance: Instance, staff: Client, content: str
) -> None:
    with pytest.raises(Invalid):
        run(instance, content)

    assert names(staff) == []


def test_an_import_is_in_the_audit_log(instance: Instance, session: Session) -> None:
    run(instance, "name\nA\nB\n", dry_run=True)
    run(instance, "name\nA\nB\n", actor_id=None)

    [entry] = session.scalars(select(AuditEntry).where(AuditEntry.action == "plants.import"))
    assert (entry.content_type, entry.detail) == ("plants", {"imported": 2})


def resource(model: type[Any], **options: Any) -> Resource:
    return Resource(name="things", label="Thing", model=model, area="garden", **options)


OFFERS = Approvable(name="offers", label="Offer", model=Offer)


@pytest.mark.parametrize(
    ("declared", "options", "trouble"),
    [
        (RESOURCE, {"columns": (CsvColumn("colour"),)}, "plants: there is no field colour"),
        (RESOURCE, {"parse": {"colour": str}}, "plants: there is no field colour"),
        (RESOURCE, {"columns": COLUMNS[1:]}, "plants: no column has the field name"),
        (RESOURCE, {"parse": {}}, "plants: no function parses the cells of uses"),
        (RESOURCE, {"unique": Plant.height}, "plants: the column height isn't unique"),
        (resource(Shelf), {}, "things: items with names for ids or approval have no CSV import"),
        (
            resource(Offer, approval=OFFERS),
            {},
            "things: items with names for ids or approval have no CSV import",
        ),
    ],
)
def test_an_option_that_does_not_fit_the_resource_stops_the_start(
    declared: Resource, options: dict[str, Any], trouble: str
) -> None:
    fitting = {"columns": COLUMNS, "unique": Plant.code_key, "parse": {"uses": split_uses}}

    with pytest.raises(StartError, match=f"^{trouble}$"):
        CsvImport(declared, **fitting | options)
