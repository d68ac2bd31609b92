"""A generated revision contains the plugin's own columns and nothing of the kit."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Index, Text

from masthead import Plugin
from masthead.db import Database, migrate
from masthead.db.comparing import differences
from masthead.db.list_indexes import declare_list_index
from masthead.testing.schema import schema_differences

pytestmark = pytest.mark.slow


def test_a_first_revision_creates_each_table_with_one_call(
    database: Database, workshop: Any, real_core: Plugin, garden: Plugin
) -> None:
    plugin = workshop.plugin("garden", garden.base)
    for left in workshop.folder.glob("*_garden/migrations/versions/*"):
        left.unlink()

    path = migrate.revision([real_core, plugin], "garden", "First tables")
    migrate.upgrade(database, [real_core, plugin])

    # A formatter, if there is one, chooses the quotes and lines of the file.
    written = ast.unparse(ast.parse(path.read_text()))
    calls = re.findall(r"create_kit_table\('(\w+)', '?(\w+)", written)
    assert calls == [
        ("garden_letter", "approvable"),
        ("garden_plant", "content"),
        ("garden_shed", "named"),
        ("garden_spade", "resource"),
    ]
    assert re.findall(r"Column\('(\w+)", written) == ["body", "height", "story", "roof"]
    assert "position=sa.BigInteger()" in written
    assert "last=[sa.Column('story', sa.Text(), nullable=True)]" in written
    assert "create_index" not in written
    assert schema_differences(database, [real_core, plugin]) == []


@pytest.mark.usefixtures("next_core")
def test_a_revision_is_empty_if_only_the_kit_has_changed(
    real_core: Plugin, next_garden: Plugin
) -> None:
    written = migrate.revision([real_core, next_garden], "garden", "Nothing").read_text()

    assert written.endswith("def upgrade() -> None:\n    pass\n")


def test_a_later_revision_contains_only_own_columns_and_indexes(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
    assert garden.metadata is not None
    table = garden.metadata.tables["garden_shed"]
    table.append_column(Column("door", Text()))
    Index("ix_garden_shed_door", table.c.door, table.c.created_at)

    written = migrate.revision([real_core, garden], "garden", "Sheds have doors").read_text()
    migrate.upgrade(database, [real_core, garden])

    body = written.partition("batch_op:")[2].strip().splitlines()
    assert [line.strip().partition("(")[0] for line in body] == [
        "batch_op.add_column",
        "batch_op.create_index",
    ]
    assert schema_differences(database, [real_core, garden]) == []


def test_an_index_of_a_list_is_built_by_an_upgrade_and_in_no_revision(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
    assert garden.metadata is not None
    table = garden.metadata.tables["garden_shed"]
    table.append_column(Column("doors", JSON()))
    migrate.revision([real_core, garden], "garden", "Sheds have doors")
    migrate.upgrade(database, [real_core, garden])
    declare_list_index("ix_garden_shed_by_doors", table.c.doors)

    written = migrate.revision([real_core, garden], "garden", "Nothing").read_text()
    for _ in range(2):
        migrate.upgrade(database, [real_core, garden])

    assert written.endswith("def upgrade() -> None:\n    pass\n")
    assert schema_differences(database, [real_core, garden]) == []
    assert differences(database, [real_core, garden]) == []
