"""A plugin whose tables use each mixin of the kit, and a step that a next core could add."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

from masthead import (
    ID,
    Approvable,
    ApprovableItem,
    ContentItem,
    ContentType,
    Int,
    NamedItem,
    Plugin,
    ResourceItem,
    Str,
    User,
    UTCDateTime,
    field,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS, KitColumn, KitIndex, KitPart, KitStep, validated

ADDED = KitPart(
    columns=(
        KitColumn("added_note", Text()),
        KitColumn("added_count", Integer(), nullable=False, server_default="7"),
        KitColumn("added_at", UTCDateTime()),
        KitColumn("added_by", ID, references="core_user.id"),
    ),
)
ADDED_INDEX = KitPart(
    indexes=(
        KitIndex(
            "added",
            ("added_at", "id"),
            {"sqlite": "added_note IS NULL", "postgresql": "added_note IS NULL"},
        ),
    ),
    replaced_indexes=("former",),
)
READERS = KitPart(
    columns=(
        KitColumn(
            "item_id",
            ID,
            nullable=False,
            references="{items}.id",
            ondelete="CASCADE",
            primary_key=True,
        ),
        KitColumn("position", None, nullable=False),
    ),
    indexes=(KitIndex("list", ("position", "item_id")),),
)
NEXT = (
    KitStep(
        steps.newest() + 1,
        {
            steps.APPROVABLE: {ITEMS: ADDED},
            steps.CONTENT: {
                "_reader": READERS,
                "_tag": KitPart((KitColumn("added_at", UTCDateTime()),)),
            },
            steps.RESOURCE: {ITEMS: ADDED},
            steps.NAMED: {ITEMS: ADDED},
        },
    ),
    KitStep(
        steps.newest() + 2,
        {kit: {ITEMS: ADDED_INDEX} for kit in (steps.APPROVABLE, steps.RESOURCE, steps.NAMED)},
    ),
)
CREATE = """
from masthead import UTCDateTime, create_kit_table
create_kit_table("garden_letter", "approvable", sa.Column("body", sa.Text(), nullable=False), kit=1)
create_kit_table(
    "garden_plant", "content", sa.Column("height", sa.BigInteger(), nullable=True),
    sa.UniqueConstraint("height", name="uq_garden_plant_height"), kit=1,
    position=sa.BigInteger(), last=[sa.Column("story", sa.Text(), nullable=True)])
create_kit_table("garden_spade", "resource", kit=1)
create_kit_table("garden_shed", "named", sa.Column("roof", sa.Text(), nullable=True), kit=1)
"""


class Today:
    """The columns that today's mixins add to the released ones: none."""


class Next:
    """The columns that the next core's mixins add to the released ones."""

    added_note: Mapped[str | None] = mapped_column(Text())
    added_count: Mapped[int] = mapped_column(Integer(), server_default="7")
    added_at: Mapped[Any] = mapped_column(UTCDateTime(), nullable=True)

    @declared_attr
    def added_by(self) -> Mapped[int | None]:
        return mapped_column(ForeignKey(User.id), nullable=True)


def declare(further: type[Any]) -> type[DeclarativeBase]:
    """Return the plugin's models, with the additional columns of a core's mixins."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata("garden")
        # The kit's columns ignore this map.
        type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger(), str: Text()}
        models: ClassVar[list[Any]] = []
        """References that keep the models alive, as a module would."""

    class Letter(further, ApprovableItem, Base):
        __tablename__ = "garden_letter"
        body: Mapped[str] = field(Str(), required=True)

    class Plant(further, ContentItem, Base):
        __tablename__ = "garden_plant"
        height: Mapped[int | None] = field(Int(), unique=True)
        story: Mapped[str | None] = field(Str(), sort_order=50)

    class Spade(further, ResourceItem, Base):
        __tablename__ = "garden_spade"

    class Shed(further, NamedItem, Base):
        __tablename__ = "garden_shed"
        roof: Mapped[str | None] = field(Str())

    Approvable(name="letters", label="Letter", model=Letter)
    kind = ContentType(name="plants", label="Plant", model=Plant, order="height")
    Base.models += [Letter, Plant, Spade, Shed]
    if further is Next:
        _complete(Base, kind)
    return Base


def _complete(base: type[DeclarativeBase], kind: ContentType) -> None:
    """Add the index and the tables that the next core's declarations make."""
    for mapper in base.registry.mappers:
        table: Any = mapper.local_table
        Index(
            f"ix_{table.name}_added",
            table.c.added_at,
            table.c.id,
            sqlite_where=text("added_note IS NULL"),
            postgresql_where=text("added_note IS NULL"),
        )
    kind.links.append_column(Column("added_at", UTCDateTime()))
    readers = Table(
        "garden_plant_reader",
        base.metadata,
        Column("item_id", ForeignKey(kind.table.c.id, ondelete="CASCADE"), primary_key=True),
        Column("position", BigInteger(), nullable=False),
    )
    Index("ix_garden_plant_reader_list", readers.c.position, readers.c.item_id)


@pytest.fixture
def garden(workshop: Any) -> Plugin:
    """The plugin, built and run with today's core."""
    plugin: Plugin = workshop.plugin("garden", declare(Today), CREATE)
    return plugin


@pytest.fixture
def next_garden(workshop: Any) -> Plugin:
    """The plugin, built with today's core and run with the next one."""
    plugin: Plugin = workshop.plugin("garden", declare(Next), CREATE)
    return plugin


@pytest.fixture
def next_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core with two more steps: columns, and indexes on them."""
    monkeypatch.setattr(steps, "STEPS", validated(*steps.STEPS, *NEXT))


@pytest.fixture
def real_core() -> Plugin:
    return core
