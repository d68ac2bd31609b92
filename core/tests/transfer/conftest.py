"""A plugin with tables of many kinds, an instance to export, and one to import into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import JSON, ForeignKey, LargeBinary, Numeric, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import (
    ID,
    NOT_EXPORTED,
    REPLACED_ON_IMPORT,
    ContentItem,
    ContentType,
    Date,
    GeoPoint,
    Instance,
    KeptFiles,
    ListOf,
    Number,
    Object,
    Plugin,
    Timestamp,
    UTCDateTime,
    field,
    hookimpl,
    import_default,
    plugin_metadata,
    required,
    schema,
)
from masthead.auth.tokens import SECRETS
from masthead.instance import DATA, DATABASE_URL, PLUGINS, open_instance
from masthead.testing.databases import Databases
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


WATERED = schema({"at": required(Timestamp()), "litres": required(Number(places=1))})


class Plant(ContentItem, Base):
    __tablename__ = "garden_plant"

    price: Mapped[Decimal | None] = field(Number())
    sown_on: Mapped[date | None] = field(Date())
    place: Mapped[Any] = field(GeoPoint())
    watered: Mapped[Any] = field(ListOf(Object(WATERED)))


class Bed(Base):
    """A bed in another bed, which may have been created later."""

    __tablename__ = "garden_bed"
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    inside: Mapped[int | None] = mapped_column(ForeignKey("garden_bed.id"))
    dug_on: Mapped[date | None]
    square_metres: Mapped[Decimal | None] = mapped_column(Numeric(10, 2))
    depth: Mapped[float | None]
    photo: Mapped[bytes | None] = mapped_column(LargeBinary)
    watered_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    notes: Mapped[Any] = mapped_column(JSON(), nullable=True)
    gardener: Mapped[str] = mapped_column(default="somebody", info=import_default("nobody"))


class Season(Base):
    __tablename__ = "garden_season"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    name: Mapped[str] = mapped_column(primary_key=True)


class Weather(Base):
    __tablename__ = "garden_weather"
    __table_args__ = {"info": NOT_EXPORTED}

    id: Mapped[int] = mapped_column(ID, primary_key=True)


PLANTS = ContentType(name="plants", label="Plant", model=Plant, area="garden")


class Hooks:
    """The garden plugin, with a shed for its files."""

    @hookimpl
    def masthead_content_types(self) -> list[ContentType]:
        return [PLANTS]

    @hookimpl
    def masthead_files(self, instance: Instance) -> list[KeptFiles]:
        shed = instance.data / "shed"

        def write(key: str, content: bytes) -> None:
            (shed / key).parent.mkdir(parents=True, exist_ok=True)
            (shed / key).write_bytes(content)

        return [
            KeptFiles(
                name="shed",
                keys=lambda session: [f"beds/{n}.png" for n in session.scalars(select(Bed.id))],
                read=lambda key: (shed / key).read_bytes(),
                write=write,
            )
        ]

    @hookimpl
    def masthead_imported(self, session: Session) -> None:
        session.add(Weather(id=session.scalar(select(func.count(Bed.id)))))


garden = Plugin(name="garden", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [garden]


@pytest.fixture
def make_target(
    _databases: Databases, _available: Mapping[str, Plugin], tmp_path: Path
) -> Iterator[Callable[..., Instance]]:
    """Creates empty instances with these plugins: ``make_target("garden")``."""
    with ExitStack() as stack:

        def make(*names: str) -> Instance:
            url = stack.enter_context(_databases.fresh(_available, names))
            folder = tmp_path / f"target-{len(list(tmp_path.glob('target-*')))}"
            folder.mkdir()
            ini = {
                DATA.name: str(folder),
                DATABASE_URL.name: url,
                PLUGINS.name: " ".join(names),
                SECRETS.name: "9c1d5e0b7a3f48269e8d0c2b1f7a6e53",
            }
            opened = open_instance(ini, {}, _available)
            stack.callback(opened.close)
            return opened

        yield make


@pytest.fixture
def target(make_target: Callable[..., Instance]) -> Instance:
    """The importing instance: empty, with the same plugins."""
    return make_target("garden")


@pytest.fixture
def export(filled: Instance, tmp_path: Path) -> Callable[[], Path]:
    """Exports the instance and returns the folder."""

    def run() -> Path:
        folder = tmp_path / "out"
        assert export_instance(filled, folder, report=lambda *_: None) == []
        return folder

    return run


@pytest.fixture
def bring(target: Instance) -> Callable[[Path], bool]:
    """Imports a folder into the target."""
    return lambda folder: import_instance(target, folder, report=lambda *_: None)


@pytest.fixture
def filled(instance: Instance) -> Instance:
    """The exported instance, with rows in all tables and a file for each bed."""
    with instance.database.transaction() as session:
        session.add(Season(name="autumn"))
        session.add(Plant(title="Rose", content="<p>A rose</p>", published=True))
        day = {"at": "2026-03-01T09:30:00.000Z", "litres": "2.5"}
        place = {"latitude": 52.5, "longitude": -0.1}
        values = {"price": Decimal("-0.05"), "sown_on": date(2026, 3, 1), "place": place}
        session.add(Plant(title="Kale", watered=[day], **values))
        session.add(Weather(id=9))
        session.add(Bed(id=1, notes={"soil": ["loam", 1.5, None]}, dug_on=date(2026, 3, 1)))
        session.add(Bed(id=3, square_metres=Decimal("2.50"), depth=0.1, photo=b"\x00\xff"))
        session.flush()
        session.add(Bed(id=2, inside=3, notes=None))
    shed = instance.data / "shed" / "beds"
    shed.mkdir(parents=True)
    for number in (1, 2, 3):
        (shed / f"{number}.png").write_bytes(bytes([number]) * 100)
    return instance


@pytest.fixture
def models() -> SimpleNamespace:
    """The models of the garden."""
    return SimpleNamespace(Plant=Plant, Bed=Bed, Season=Season, Weather=Weather)


@pytest.fixture
def rows() -> Callable[[Instance, Any], list[dict[str, Any]]]:
    """Returns all rows of a model's table, without the stored listings."""

    def read(instance: Instance, model: Any) -> list[dict[str, Any]]:
        columns = [column for column in model.__table__.c if column.name != "listed"]
        with instance.database.session(read_only=True) as session:
            found = session.execute(select(*columns).order_by(*model.__table__.primary_key.columns))
            return [dict(row) for row in found.mappings()]

    return read
