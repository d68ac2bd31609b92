"""An upgrade applies the missing steps of the kit to every table that uses it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import text

from masthead import Plugin, StartError
from masthead.db import Database, migrate
from masthead.db.status import troubles
from masthead.testing.schema import schema_differences

TABLES = ("garden_letter", "garden_plant", "garden_shed", "garden_spade")
Rows = Callable[[str], list[tuple[Any, ...]]]
RECORDS = "SELECT name, kit, step FROM core_kit_table ORDER BY name"


def steps_of(rows: Rows) -> dict[str, int]:
    return {name: step for name, _, step in rows(RECORDS)}


def forget_records(database: Database) -> None:
    """Restore the tables to the state of a core without the kit's records."""
    with database.transaction() as session:
        session.execute(text("DELETE FROM core_kit_table"))


def test_a_next_core_applies_its_step_to_tables_of_an_older_core(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    with database.transaction() as session:
        session.execute(
            text("INSERT INTO garden_shed VALUES ('old', 'tin', 3, '2026-01-01', '2026-01-01')")
        )
    assert steps_of(rows) == dict.fromkeys(TABLES, 1)

    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    assert migrate.pending(database, [real_core, plugin]) == ["garden"]
    line = troubles(migrate.status(database, [real_core, plugin]))
    assert line == "the tables of garden lack kit 2; run masthead db upgrade"
    migrate.upgrade(database, [real_core, plugin])

    assert steps_of(rows) == dict.fromkeys(TABLES, 2)
    assert migrate.pending(database, [real_core, plugin]) == []
    assert schema_differences(database, [real_core, plugin]) == []
    found = rows("SELECT id, roof, added_note, added_count, added_by FROM garden_shed")
    assert found == [("old", "tin", None, 7, None)]


@pytest.mark.usefixtures("next_core")
def test_a_new_plugin_built_for_an_older_kit_gets_all_steps(
    database: Database, real_core: Plugin, next_garden: Plugin, rows: Rows
) -> None:
    migrate.upgrade(database, [real_core, next_garden])

    assert steps_of(rows) == dict.fromkeys(TABLES, 2)
    assert schema_differences(database, [real_core, next_garden]) == []


def test_a_disabled_plugin_gets_the_step_when_it_is_enabled_again(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    migrate.upgrade(database, [real_core])
    assert steps_of(rows) == dict.fromkeys(TABLES, 1)

    migrate.upgrade(database, [real_core, plugin])

    assert schema_differences(database, [real_core, plugin]) == []


def test_tables_without_records_are_adopted(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    forget_records(database)
    assert migrate.pending(database, [real_core, garden]) == ["garden"]

    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    migrate.upgrade(database, [real_core, plugin])

    assert steps_of(rows) == dict.fromkeys(TABLES, 2)
    assert schema_differences(database, [real_core, plugin]) == []


def test_a_table_without_the_columns_of_the_kit_is_not_adopted(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
    migrate.upgrade(database, [real_core, garden])
    forget_records(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE garden_plant RENAME COLUMN staged TO kept"))

    with pytest.raises(StartError, match="garden_plant lacks staged of kit 1; create the table"):
        migrate.upgrade(database, [real_core, garden])


def test_a_column_with_the_name_of_a_kit_column_is_refused(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    with database.transaction() as session:
        session.execute(text("ALTER TABLE garden_shed ADD COLUMN added_at TEXT"))
    request.getfixturevalue("next_core")

    with pytest.raises(StartError, match="garden_shed has its own column added_at, and kit 2 adds"):
        migrate.upgrade(database, [real_core, garden])

    # The upgrade is rolled back for all tables of the plugin.
    assert steps_of(rows) == dict.fromkeys(TABLES, 1)


def test_a_table_cannot_change_its_kit(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
    migrate.upgrade(database, [real_core, garden])
    with database.transaction() as session:
        session.execute(text("UPDATE core_kit_table SET kit = 'approvable'"))

    with pytest.raises(
        StartError, match="garden_plant was created as approvable, but its model is"
    ):
        migrate.upgrade(database, [real_core, garden])


def test_a_database_of_a_next_core_is_left_alone(
    database: Database, real_core: Plugin, garden: Plugin, rows: Rows
) -> None:
    migrate.upgrade(database, [real_core, garden])
    with database.transaction() as session:
        session.execute(text("UPDATE core_kit_table SET step = 9"))

    assert migrate.pending(database, [real_core, garden]) == []
    migrate.upgrade(database, [real_core, garden])

    assert steps_of(rows) == dict.fromkeys(TABLES, 9)


def test_applying_a_step_does_not_load_alembic(
    database: Database, real_core: Plugin, garden: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    migrate.upgrade(database, [real_core, garden])
    forget_records(database)

    with caplog.at_level(logging.INFO):
        migrate.upgrade(database, [real_core, garden])

    assert [each.name for each in caplog.records if each.name.startswith("alembic")] == []
    assert "Migrated the tables of garden" in caplog.text


def test_concurrent_upgrades_apply_a_step_once(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    together = Barrier(4)

    def upgrade(_: int) -> None:
        together.wait()
        migrate.upgrade(database, [real_core, plugin])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(upgrade, range(4)))

    assert steps_of(rows) == dict.fromkeys(TABLES, 2)
    assert schema_differences(database, [real_core, plugin]) == []


def test_a_step_waits_for_a_long_reader(
    request: pytest.FixtureRequest, postgresql: Database, real_core: Plugin, garden: Plugin
) -> None:
    migrate.upgrade(postgresql, [real_core, garden])
    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")

    with ThreadPoolExecutor(1) as threads:
        with postgresql.session(read_only=True) as reader:
            reader.execute(text("SELECT * FROM garden_plant"))
            upgrading = threads.submit(migrate.upgrade, postgresql, [real_core, plugin])
            with pytest.raises(TimeoutError):
                upgrading.result(timeout=4)
            # Other transactions get their locks between the attempts.
            with postgresql.transaction() as session:
                session.execute(text("SET LOCAL lock_timeout = '10s'"))
                session.execute(text("SELECT * FROM garden_plant"))
        upgrading.result(timeout=30)

    assert migrate.pending(postgresql, [real_core, plugin]) == []


def test_a_rebuilt_table_keeps_the_additions_of_a_step(
    request: pytest.FixtureRequest,
    sqlite: Database,
    workshop: Any,
    real_core: Plugin,
    garden: Plugin,
) -> None:
    migrate.upgrade(sqlite, [real_core, garden])
    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    migrate.upgrade(sqlite, [real_core, plugin])

    [first] = workshop.folder.glob("*_garden/migrations/versions/0001*")
    (first.parent / "0002_rebuild.py").write_text(
        "from alembic import op\n"
        "revision = '0002'\ndown_revision = '0001'\ndef upgrade():\n"
        "    with op.batch_alter_table('garden_letter', recreate='always') as batch_op:\n"
        "        batch_op.alter_column('body', nullable=False)\n"
    )
    migrate.upgrade(sqlite, [real_core, plugin])

    assert schema_differences(sqlite, [real_core, plugin]) == []
