"""Indexes that are built on existing tables without blocking writers."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead.db import Database, migrate, plugin_metadata
from masthead.errors import StartError
from masthead.plugins import Plugin

CREATE = """
op.create_table("garden_bed", sa.Column("id", sa.Integer(), primary_key=True),
    sa.Column("soil", sa.Text(), nullable=True))
op.execute("INSERT INTO garden_bed VALUES (1, 'clay'), (2, 'clay')")
"""
INDEX = """
from masthead import create_index_concurrently
create_index_concurrently("ix_garden_bed_soil", "garden_bed", ["soil"],
    sqlite_where=sa.text("soil IS NOT NULL"), postgresql_where=sa.text("soil IS NOT NULL"))
"""
ADD = 'op.add_column("garden_bed", sa.Column("depth", sa.Integer(), nullable=True))\n'
DIE = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n"
UPGRADE = """
import sys
from sqlalchemy.orm import DeclarativeBase
from masthead.db import Database, migrate, plugin_metadata
from masthead.plugins import Plugin

class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")

url, folder, package = sys.argv[1:]
sys.path.insert(0, folder)
migrate.upgrade(Database(url), [Plugin(name="garden", hooks=(), base=Base, migrations=package)])
"""


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


class Bed(Base):
    __tablename__ = "garden_bed"
    id: Mapped[int] = mapped_column(primary_key=True)


def start(database: Database, workshop: Any, plugin: Plugin) -> subprocess.Popen[bytes]:
    url = database.url.render_as_string(hide_password=False)
    arguments = [url, str(workshop.folder), str(plugin.migrations)]
    return subprocess.Popen([sys.executable, "-c", UPGRADE, *arguments])


def indexes(database: Database) -> list[str | None]:
    # A reader of SQLite that was opened before would list the indexes that it knows.
    with database.transaction() as session:
        return [index["name"] for index in inspect(session.connection()).get_indexes("garden_bed")]


def invalid(database: Database) -> list[str]:
    with database.read() as connection:
        found = connection.scalars(
            text("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
        )
        return list(found)


def test_an_index_is_created_and_the_revision_recorded(database: Database, workshop: Any) -> None:
    plugin = workshop.plugin("garden", Base, CREATE, INDEX + ADD)

    migrate.upgrade(database, [plugin])

    assert indexes(database) == ["ix_garden_bed_soil"]
    assert migrate.pending(database, [plugin]) == []


def test_an_index_after_another_change_is_refused_on_postgresql(
    postgresql: Database, workshop: Any
) -> None:
    plugin = workshop.plugin("garden", Base, CREATE, ADD + INDEX)

    with pytest.raises(StartError, match="the index ix_garden_bed_soil concurrently has changed"):
        migrate.upgrade(postgresql, [plugin])

    assert migrate.current(postgresql, [plugin]) == {"garden": "0001"}
    assert indexes(postgresql) == []


@pytest.mark.slow
@pytest.mark.parametrize("last", [INDEX + DIE + ADD, INDEX + ADD + DIE])
def test_an_upgrade_killed_after_an_index_is_continued(
    database: Database, workshop: Any, last: str
) -> None:
    plugin = workshop.plugin("garden", Base, CREATE, last)

    process = start(database, workshop, plugin)

    assert process.wait() == -signal.SIGKILL
    again = workshop.plugin("garden", Base, CREATE, INDEX + ADD)
    migrate.upgrade(database, [again])
    assert indexes(database) == ["ix_garden_bed_soil"]
    assert migrate.pending(database, [again]) == []


@pytest.mark.slow
def test_an_upgrade_killed_in_an_index_is_continued_and_writers_go_on(
    postgresql: Database, workshop: Any
) -> None:
    plugin = workshop.plugin("garden", Base, CREATE)
    migrate.upgrade(postgresql, [plugin])
    later = workshop.plugin("garden", Base, CREATE, INDEX)

    with postgresql.transaction() as other:
        # The index waits for this transaction, and no writer waits for the index.
        other.execute(text("INSERT INTO garden_bed VALUES (3, 'loam')"))
        process = start(postgresql, workshop, later)
        deadline = time.monotonic() + 60
        while not invalid(postgresql):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with postgresql.transaction() as writer:
            writer.execute(text("SET LOCAL lock_timeout = '5s'"))
            writer.execute(text("UPDATE garden_bed SET soil = 'sand' WHERE id = 1"))
        process.kill()
        process.wait()
        with postgresql.read() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE query LIKE 'CREATE INDEX%' AND datname = current_database()"
                )
            )
    assert invalid(postgresql) == ["ix_garden_bed_soil"]

    migrate.upgrade(postgresql, [later])

    assert invalid(postgresql) == []
    assert migrate.pending(postgresql, [later]) == []


def test_a_unique_index_that_rows_contradict_can_be_tried_again(
    postgresql: Database, workshop: Any
) -> None:
    unique = INDEX.replace('["soil"],', '["soil"], unique=True,')
    plugin = workshop.plugin("garden", Base, CREATE, unique)
    with pytest.raises(StartError, match="ix_garden_bed_soil"):
        migrate.upgrade(postgresql, [plugin])
    assert invalid(postgresql) == ["ix_garden_bed_soil"]

    with postgresql.transaction() as session:
        session.execute(text("DELETE FROM garden_bed WHERE id = 2"))
    migrate.upgrade(postgresql, [plugin])

    assert invalid(postgresql) == []


@pytest.mark.slow
def test_concurrent_upgrades_do_not_wait_for_each_other_in_an_index(
    postgresql: Database, workshop: Any
) -> None:
    many = [INDEX.replace("_soil", f"_{number}") for number in range(5)]
    plugin = workshop.plugin("garden", Base, CREATE, *many)

    with ThreadPoolExecutor(3) as threads:
        upgrades = [threads.submit(migrate.upgrade, postgresql, [plugin]) for _ in range(3)]
        for upgrade in upgrades:
            upgrade.result(timeout=60)

    assert len(indexes(postgresql)) == 5
