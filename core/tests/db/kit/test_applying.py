"""An upgrade applies the missing steps of the kit to every table that uses it."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.orm import DeclarativeBase

from masthead import NamedItem, Plugin, StartError, plugin_metadata
from masthead.db import Database, migrate
from masthead.db.kit import steps
from masthead.db.status import troubles
from masthead.testing.schema import schema_differences

pytestmark = pytest.mark.slow

TABLES = ("garden_letter", "garden_plant", "garden_shed", "garden_spade")
Rows = Callable[[str], list[tuple[Any, ...]]]
NEWEST = steps.newest()
NEXT = NEWEST + 2
COLUMNS_STEP = NEWEST + 1
ADD_DOOR = 'op.add_column("garden_shed", sa.Column("door", sa.Text(), nullable=True))\n'
KILL_AT_RECORD = """
import os, signal
def kill(connection, cursor, statement, *rest):
    if statement.startswith("INSERT INTO core_kit_table"):
        os.kill(os.getpid(), signal.SIGKILL)
sa.event.listen(op.get_bind(), "before_cursor_execute", kill)
"""
UPGRADE = """
import sys
from sqlalchemy.orm import DeclarativeBase
from masthead import NamedItem, Plugin, plugin_metadata
from masthead.core_plugin import plugin as core
from masthead.db import Database, migrate


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")

class Shed(NamedItem, Base):
    __tablename__ = "garden_shed"

url, folder, package = sys.argv[1:]
sys.path.insert(0, folder)
garden = Plugin(name="garden", hooks=(), base=Base, migrations=package)
migrate.upgrade(Database(url), [core, garden])
"""
RENAME = """
op.rename_table("garden_shed", "garden_hut")
op.execute("UPDATE core_kit_table SET name = 'garden_hut' WHERE name = 'garden_shed'")
"""
RECORDS = "SELECT name, kit, step FROM core_kit_table ORDER BY name"


def steps_of(rows: Rows) -> dict[str, int]:
    return {name: step for name, _, step in rows(RECORDS)}


def columns_of(database: Database, table: str) -> set[str]:
    with database.read() as connection:
        return {column["name"] for column in inspect(connection).get_columns(table)}


@pytest.fixture
def unrecorded(
    database: Database, real_core: Plugin, garden: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables as they were before the records: with the first kit."""
    with monkeypatch.context() as patched:
        patched.setattr(steps, "STEPS", steps.STEPS[:1])
        migrate.upgrade(database, [real_core, garden])
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
            text(
                "INSERT INTO garden_shed (id, roof, revision, created_at, updated_at)"
                " VALUES ('old', 'tin', 3, '2026-01-01', '2026-01-01')"
            )
        )
    assert steps_of(rows) == dict.fromkeys(TABLES, NEWEST)

    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    assert migrate.pending(database, [real_core, plugin]) == ["garden"]
    line = troubles(migrate.status(database, [real_core, plugin]))
    assert line == f"the tables of garden lack kit {NEXT}; run masthead db upgrade"
    migrate.upgrade(database, [real_core, plugin])

    assert steps_of(rows) == dict.fromkeys(TABLES, NEXT)
    assert migrate.pending(database, [real_core, plugin]) == []
    assert schema_differences(database, [real_core, plugin]) == []
    found = rows("SELECT id, roof, added_note, added_count, added_by FROM garden_shed")
    assert found == [("old", "tin", None, 7, None)]


@pytest.mark.usefixtures("next_core")
def test_a_new_plugin_built_for_an_older_kit_gets_all_steps(
    database: Database, real_core: Plugin, next_garden: Plugin, rows: Rows
) -> None:
    migrate.upgrade(database, [real_core, next_garden])

    assert steps_of(rows) == dict.fromkeys(TABLES, NEXT)
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
    assert steps_of(rows) == dict.fromkeys(TABLES, NEWEST)

    migrate.upgrade(database, [real_core, plugin])

    assert schema_differences(database, [real_core, plugin]) == []


@pytest.mark.usefixtures("unrecorded")
def test_tables_without_records_are_adopted(
    request: pytest.FixtureRequest,
    database: Database,
    real_core: Plugin,
    garden: Plugin,
    rows: Rows,
) -> None:
    assert migrate.pending(database, [real_core, garden]) == ["garden"]

    request.getfixturevalue("next_core")
    plugin: Plugin = request.getfixturevalue("next_garden")
    migrate.upgrade(database, [real_core, plugin])

    assert steps_of(rows) == dict.fromkeys(TABLES, NEXT)
    assert schema_differences(database, [real_core, plugin]) == []


@pytest.mark.usefixtures("unrecorded")
def test_a_table_without_the_columns_of_the_kit_is_not_adopted(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
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

    with pytest.raises(StartError, match=f"own column added_at, and kit {COLUMNS_STEP} adds"):
        migrate.upgrade(database, [real_core, garden])

    kept = NEWEST if database.dialect == "sqlite" else NEXT
    others = {"garden_letter": kept, "garden_plant": kept}
    assert steps_of(rows) == dict.fromkeys(TABLES, NEWEST) | others
    assert "added_note" not in columns_of(database, "garden_shed")


def test_a_table_with_the_name_of_a_kit_table_is_refused(
    request: pytest.FixtureRequest, database: Database, real_core: Plugin, garden: Plugin
) -> None:
    migrate.upgrade(database, [real_core, garden])
    with database.transaction() as session:
        session.execute(text("CREATE TABLE garden_plant_reader (id INTEGER)"))
    request.getfixturevalue("next_core")

    with pytest.raises(StartError, match="garden has its own table garden_plant_reader, and kit"):
        migrate.upgrade(database, [real_core, garden])


def test_a_step_that_fails_after_a_revision_has_no_effect(
    request: pytest.FixtureRequest,
    database: Database,
    workshop: Any,
    real_core: Plugin,
    garden: Plugin,
) -> None:
    migrate.upgrade(database, [real_core, garden])
    clash = 'op.add_column("garden_shed", sa.Column("added_at", sa.Text(), nullable=True))'
    later = workshop.plugin("garden", garden.base, "pass", clash)
    request.getfixturevalue("next_core")

    with pytest.raises(StartError, match="garden_shed has its own column added_at"):
        migrate.upgrade(database, [real_core, later])

    # SQLite has one transaction for all revisions and steps of a plugin.
    kept = {"sqlite": "0001", "postgresql": "0002"}[database.dialect]
    assert migrate.current(database, [later]) == {"garden": kept}
    assert ("added_at" in columns_of(database, "garden_shed")) is (kept == "0002")
    assert "added_note" not in columns_of(database, "garden_shed")


@pytest.mark.usefixtures("unrecorded")
def test_an_upgrade_killed_between_a_revision_and_a_step_is_continued(
    database: Database, workshop: Any, real_core: Plugin, garden: Plugin
) -> None:
    later = workshop.plugin("garden", garden.base, "pass", ADD_DOOR + KILL_AT_RECORD)

    url = database.url.render_as_string(hide_password=False)
    arguments = [url, workshop.folder, str(later.migrations)]
    killed = subprocess.run([sys.executable, "-c", UPGRADE, *arguments], check=False)

    assert killed.returncode == -signal.SIGKILL
    kept = {"sqlite": "0001", "postgresql": "0002"}[database.dialect]
    assert migrate.current(database, [later]) == {"garden": kept}
    assert ("door" in columns_of(database, "garden_shed")) is (kept == "0002")
    again = workshop.plugin("garden", garden.base, "pass", ADD_DOOR)
    migrate.upgrade(database, [real_core, again])
    assert migrate.pending(database, [real_core, again]) == []
    assert "door" in columns_of(database, "garden_shed")


def test_a_renamed_table_keeps_its_step_with_its_record(
    request: pytest.FixtureRequest, database: Database, workshop: Any, real_core: Plugin
) -> None:
    request.getfixturevalue("next_core")
    before: Plugin = request.getfixturevalue("next_garden")
    migrate.upgrade(database, [real_core, before])

    class Base(DeclarativeBase):
        metadata = plugin_metadata("garden")

    class Hut(NamedItem, Base):
        __tablename__ = "garden_hut"

    after = workshop.plugin("garden", Base, "pass", RENAME)
    migrate.upgrade(database, [real_core, after])

    assert migrate.pending(database, [real_core, after]) == []
    assert set(Hut.__table__.c.keys()) <= columns_of(database, "garden_hut")


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
        session.execute(text(f"UPDATE core_kit_table SET step = {NEXT}"))

    assert migrate.pending(database, [real_core, garden]) == []
    migrate.upgrade(database, [real_core, garden])

    assert steps_of(rows) == dict.fromkeys(TABLES, NEXT)


@pytest.mark.usefixtures("unrecorded")
def test_applying_a_step_does_not_load_alembic(
    database: Database, real_core: Plugin, garden: Plugin, caplog: pytest.LogCaptureFixture
) -> None:

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

    assert steps_of(rows) == dict.fromkeys(TABLES, NEXT)
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
