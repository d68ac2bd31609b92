"""Each kind of revision that blocks or breaks the previous release is found."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead.core_plugin import plugin as core
from masthead.db import Database, plugin_metadata
from masthead.testing import migration_problems

CREATE = """
op.create_table("garden_bed",
    sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
    sa.Column("name", sa.String(40), nullable=True),
    sa.Column("soil", sa.Text(), nullable=False, server_default=""),
    sa.Column("depth", sa.Integer(), nullable=True))
op.create_table("garden_plant",
    sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
    sa.Column("bed_id", sa.BigInteger(), nullable=True))
"""
CONCURRENTLY = "from masthead import create_index_concurrently\ncreate_index_concurrently"
ADD = 'op.add_column("garden_bed", sa.Column("{}", sa.Text(), nullable=True))\n'
NEW = 'op.add_column("garden_bed", sa.Column("added", {}))'
COPY = """
op.create_table("garden_copy", sa.Column("id", sa.BigInteger(), primary_key=True))
op.execute("INSERT INTO garden_copy SELECT id FROM garden_bed")
"""
VALIDATE = """
op.execute("ALTER TABLE garden_bed ADD CONSTRAINT ck CHECK (depth > 0) NOT VALID")
op.execute("ALTER TABLE garden_bed VALIDATE CONSTRAINT ck")
"""
KEY = """
op.drop_constraint("pk_garden_plant", "garden_plant")
op.create_primary_key("pk_garden_plant", "garden_plant", ["id", "bed_id"])
"""
BATCHES = """
with op.get_context().autocommit_block():
    connection, last = op.get_bind(), 0
    while ids := connection.scalars(sa.text(
        "SELECT id FROM garden_bed WHERE id > :last ORDER BY id LIMIT 1000"), {"last": last}).all():
        last = ids[-1]
        connection.execute(sa.text("UPDATE garden_bed SET depth = 1 WHERE id = :id"),
            [{"id": number} for number in ids])
"""
GOOD = {
    "a column that can be null": ADD.format("note"),
    "a column with a default": (
        'op.add_column("garden_bed", sa.Column("wet", sa.Boolean(), nullable=False,'
        " server_default=sa.false()))"
    ),
    "a column that refers to core": (
        'op.execute("ALTER TABLE garden_bed ADD COLUMN user_id BIGINT'
        ' CONSTRAINT fk_garden_bed_user_id REFERENCES core_user (id)")'
    ),
    "a new table with an index": (
        'op.create_table("garden_tool", sa.Column("id", sa.BigInteger(), primary_key=True),'
        ' sa.Column("bed_id", sa.BigInteger(), sa.ForeignKey("garden_bed.id")))\n'
        'op.create_index("ix_garden_tool_bed_id", "garden_tool", ["bed_id"])'
    ),
    "an index without waiting writers": CONCURRENTLY
    + '("ix_garden_bed_soil", "garden_bed", ["soil"])',
    "an index that is dropped": 'op.execute("DROP INDEX IF EXISTS ix_garden_bed_none")',
    "a few rows by key": "op.execute(\"UPDATE garden_bed SET soil = 'clay' WHERE id = 7\")",
    "rows in batches": BATCHES,
}
BAD = {
    "all-rows": [
        "op.execute(\"UPDATE garden_bed SET soil = 'clay'\")",
        'op.execute("DELETE FROM garden_bed WHERE depth IS NULL")',
        COPY,
        'op.execute("UPDATE garden_plant SET bed_id = b.id FROM garden_bed b WHERE b.depth = 1")',
    ],
    "index": [
        'op.create_index("ix_garden_bed_soil", "garden_bed", ["soil"])',
        'op.create_exclude_constraint("ex_bed", "garden_bed", ("depth", "="), using="btree")',
        f'{ADD.format("note")}op.create_unique_constraint("uq_x", "garden_bed", ["note"])',
    ],
    "rewrite": [
        'op.alter_column("garden_bed", "depth", type_=sa.BigInteger())',
        *map(
            NEW.format,
            (
                'sa.DateTime(), nullable=False, server_default=sa.text("clock_timestamp()")',
                'sa.Integer(), sa.Computed("depth * 2", persisted=True)',
                "sa.BigInteger(), sa.Identity()",
            ),
        ),
        'op.execute("ALTER TABLE garden_bed SET UNLOGGED")',
        'op.execute("TRUNCATE garden_plant")',
    ],
    "validation": [
        'op.create_check_constraint("ck_depth", "garden_bed", "depth > 0")',
        'op.create_foreign_key("fk_bed", "garden_plant", "garden_bed", ["bed_id"], ["id"])',
        NEW.format('sa.BigInteger(), sa.ForeignKey("core_user.id", name="fk")'),
        NEW.format('sa.Integer(), sa.CheckConstraint("added > 0", name="ck")'),
    ],
    "rows-under-lock": [
        f"{ADD.format('note')}op.execute(\"UPDATE garden_bed SET note = '' WHERE id < 9\")",
        f"{ADD.format('note')}op.get_bind().execute(sa.text('SELECT id FROM garden_bed')).all()",
        VALIDATE,
    ],
    "lock": ['op.execute("LOCK TABLE garden_bed IN SHARE MODE")'],
    "dropped-table": [
        'op.drop_table("garden_plant")',
        'op.rename_table("garden_plant", "garden_flower")',
    ],
    "dropped-column": [
        'op.drop_column("garden_bed", "depth")',
        'op.alter_column("garden_bed", "depth", new_column_name="height")',
    ],
    "required-column": [
        'op.add_column("garden_bed", sa.Column("size", sa.Integer(), nullable=False))',
        'op.alter_column("garden_bed", "name", nullable=False)',
    ],
    "removed-default": ['op.alter_column("garden_bed", "soil", server_default=None)'],
    "changed-type": [
        'op.alter_column("garden_bed", "name", type_=sa.Text(), existing_type=sa.String(40))'
    ],
    "new-unique": [
        CONCURRENTLY + '("uq_garden_bed_soil", "garden_bed", ["soil"], unique=True)',
        'op.create_unique_constraint("uq_garden_bed_soil", "garden_bed", ["soil"])',
    ],
    "new-constraint": [
        'op.create_check_constraint("ck_depth", "garden_bed", "depth > 0")',
        'op.create_foreign_key("fk_bed", "garden_plant", "garden_bed", ["bed_id"], ["id"])',
    ],
    "changed-key": [
        KEY,
    ],
}


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


def problems(
    database: Database, workshop: Any, *revisions: str, exceptions: str = "{}"
) -> list[str]:
    plugin = workshop.plugin("garden", Base, CREATE, *revisions)
    [last] = workshop.folder.glob(f"*_garden/migrations/versions/{1 + len(revisions):04}_step.py")
    last.write_text(f"{last.read_text()}\nexceptions = {exceptions}\n")
    return migration_problems(database, [core, plugin], ["garden"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "revision"),
    [
        pytest.param(rule, each, marks=[pytest.mark.exhaustive] if place else [])
        for rule, many in BAD.items()
        for place, each in enumerate(many)
    ],
)
def test_a_revision_that_blocks_or_breaks_the_previous_release_is_found(
    postgresql: Database, workshop: Any, rule: str, revision: str
) -> None:
    found = problems(postgresql, workshop, revision)

    assert any(line.startswith("garden 0002: ") and line.endswith(f"({rule})") for line in found)


@pytest.mark.slow
@pytest.mark.parametrize("revision", GOOD.values(), ids=GOOD)
def test_a_revision_that_only_adds_is_accepted(
    postgresql: Database, workshop: Any, revision: str
) -> None:
    assert problems(postgresql, workshop, revision) == []


@pytest.mark.slow
def test_a_unique_index_on_a_column_of_the_revision_before_is_accepted(
    postgresql: Database, workshop: Any
) -> None:
    index = CONCURRENTLY + '("uq_garden_bed_note", "garden_bed", ["note"], unique=True)'

    assert problems(postgresql, workshop, ADD.format("note"), index) == []


def test_sqlite_shows_the_changes_of_tables(sqlite: Database, workshop: Any) -> None:
    drop = 'with op.batch_alter_table("garden_bed") as table:\n    table.drop_column("depth")'

    assert problems(sqlite, workshop, ADD.format("note"), drop) == [
        "garden 0003: drops or renames the column garden_bed.depth (dropped-column)"
    ]


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ('{"dropped-table": "nothing is dropped"}', "the exception dropped-table and needs none"),
        ('{"slow": "it is slow"}', "the exception slow, which is no rule"),
    ],
)
def test_an_exception_that_is_not_needed_is_found(
    sqlite: Database, workshop: Any, declared: str, problem: str
) -> None:
    found = problems(sqlite, workshop, ADD.format("note"), exceptions=declared)

    assert found == [f"garden 0002: declares {problem}"]


@pytest.mark.parametrize(("reason", "found"), [("no process uses it", 0), (" ", 1)])
def test_an_exception_is_declared_with_its_reason(
    sqlite: Database, workshop: Any, reason: str, found: int
) -> None:
    declared = f'{{"dropped-table": "{reason}"}}'

    lines = problems(sqlite, workshop, 'op.drop_table("garden_plant")', exceptions=declared)

    assert len(lines) == found
