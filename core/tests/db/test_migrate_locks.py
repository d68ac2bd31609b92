"""On PostgreSQL, an upgrade lets other transactions proceed while it waits for their locks."""

from __future__ import annotations

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
def test_a_revision_lets_a_long_reader_finish(postgresql: Database, later: Plugin) -> None:
    with ThreadPoolExecutor(1) as threads:
        with postgresql.session(read_only=True) as reader:
            reader.execute(text("SELECT * FROM garden_bed"))
            upgrading = threads.submit(migrate.upgrade, postgresql, [later])
            with pytest.raises(TimeoutError):
                upgrading.result(timeout=4)
            # Other transactions get their locks between the attempts.
            with postgresql.transaction() as session:
                session.execute(text("SET LOCAL lock_timeout = '10s'"))
                session.execute(text("SELECT * FROM garden_bed"))
        upgrading.result(timeout=30)

    assert migrate.pending(postgresql, [later]) == []


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
