"""An upgrade warns of revisions that may disturb processes of the previous release."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import Plugin
from masthead.db import Database, migrate, plugin_metadata

CREATE = 'op.create_table("garden_bed", sa.Column("id", sa.BigInteger(), primary_key=True))'
WARNING = "Revision 0002 of garden may disturb running processes (dropped-table): nothing uses it"


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


@pytest.fixture
def dropping(database: Database, workshop: Any) -> Plugin:
    """A plugin whose second revision declares an exception, after an upgrade to the first one."""
    migrate.upgrade(database, [workshop.plugin("garden", Base, CREATE)])
    plugin: Plugin = workshop.plugin("garden", Base, CREATE, 'op.drop_table("garden_bed")', "pass")
    [file] = workshop.folder.glob("*_garden/migrations/versions/0002_step.py")
    file.write_text(f'{file.read_text()}\nexceptions = {{"dropped-table": "nothing uses it"}}\n')
    return plugin


def test_the_plan_lists_pending_revisions_and_their_exceptions(
    database: Database, dropping: Plugin
) -> None:
    lines = migrate.plan(database, [dropping])

    assert lines == ["garden: revision 0002", "garden: revision 0003", WARNING]
    assert migrate.current(database, [dropping]) == {"garden": "0001"}


def test_an_upgrade_of_existing_tables_warns(
    database: Database, dropping: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    migrate.upgrade(database, [dropping])

    assert [each.message for each in caplog.records if each.levelname == "WARNING"] == [WARNING]
    assert migrate.plan(database, [dropping]) == []


def test_new_tables_need_no_warning(
    sqlite: Database, workshop: Any, caplog: pytest.LogCaptureFixture
) -> None:
    plugin = workshop.plugin("garden", Base, CREATE)
    [file] = workshop.folder.glob("*_garden/migrations/versions/0001_step.py")
    file.write_text(f'{file.read_text()}\nexceptions = {{"dropped-table": "nothing uses it"}}\n')

    migrate.upgrade(sqlite, [plugin])

    assert "disturb" not in caplog.text
