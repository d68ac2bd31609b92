"""On PostgreSQL, an upgrade lets other transactions proceed while it waits for their locks."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import DeclarativeBase

from masthead.db import Database, migrate, plugin_metadata
from masthead.errors import StartError
from masthead.plugins import Plugin

CREATE = 'op.create_table("garden_bed", sa.Column("id", sa.Integer(), primary_key=True))'
ALTER = 'op.add_column("garden_bed", sa.Column("soil", sa.Text(), nullable=True))'


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


@pytest.fixture
def later(postgresql: Database, workshop: Any) -> Plugin:
    """A version of the plugin with a further revision, after the upgrade to the first one."""
    migrate.upgrade(postgresql, [workshop.plugin("garden", Base, CREATE)])
    plugin: Plugin = workshop.plugin("garden", Base, CREATE, ALTER)
    return plugin


@pytest.mark.slow
def test_a_revision_behind_a_long_reader_delays_other_readers_briefly(
    postgresql: Database, later: Plugin
) -> None:
    """The long reader is for example pg_dump; the others are requests."""
    waits = []
    with ThreadPoolExecutor(1) as threads:
        with postgresql.session(read_only=True) as reader:
            reader.execute(text("SELECT * FROM garden_bed"))
            upgrading = threads.submit(migrate.upgrade, postgresql, [later])
            end = time.monotonic() + 5
            while time.monotonic() < end:
                began = time.monotonic()
                with postgresql.read() as connection:
                    connection.execute(text("SELECT * FROM garden_bed"))
                waits.append(time.monotonic() - began)
                time.sleep(0.02)
            assert not upgrading.done()
        upgrading.result(timeout=30)

    assert migrate.pending(postgresql, [later]) == []
    # The first reader behind the upgrade waits as long as that waits for its lock.
    assert 0.5 < max(waits) < 2.5
    assert sum(wait < 0.5 for wait in waits) > len(waits) / 2


@pytest.mark.slow
def test_an_upgrade_stops_if_a_table_stays_in_use(
    postgresql: Database, later: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "MAX_ATTEMPTS", 1)

    with postgresql.session(read_only=True) as reader:
        reader.execute(text("SELECT * FROM garden_bed"))
        with pytest.raises(StartError, match="other transactions use the tables of garden; run"):
            migrate.upgrade(postgresql, [later])

    assert migrate.current(postgresql, [later]) == {"garden": "0001"}
