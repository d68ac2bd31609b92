"""Every test gets a new database, whatever other tests did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import inspect, text

from masthead import Plugin
from masthead.auth.models import User
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing.databases import Databases

USER = {"username": "ada", "username_key": "ada", "email": "a@example.org", "password": "x"}


@pytest.fixture
def available() -> Mapping[str, Plugin]:
    return {core.name: core}


@pytest.fixture
def databases(_databases: Databases) -> Databases:
    return _databases


def look(database: Database) -> Any:
    """Return the rows and columns of each table, and the id of the next user."""
    with database.engine.connect() as connection, connection.begin() as transaction:
        found = inspect(connection)
        names = found.get_table_names()
        rows = {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in names}
        columns = {name: len(found.get_columns(name)) for name in names}
        added = connection.execute(User.__table__.insert().values(USER).returning(User.id)).scalar()
        transaction.rollback()
    return rows, columns, added


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO core_seen (kind, name) VALUES ('garden', 'rose')",
        "DELETE FROM core_role_permission",
        "ALTER TABLE core_seen ADD COLUMN more TEXT",
        "CREATE TABLE beds (id INTEGER)",
        "DROP TABLE core_seen",
    ],
)
def test_tests_do_not_see_the_changes_of_others(
    statement: str, available: Mapping[str, Plugin], databases: Databases
) -> None:
    seen = []
    for _ in range(2):
        with databases.fresh(available, ()) as url:
            database = Database(url)
            seen.append(look(database))
            with database.transaction() as session:
                session.add(User(**USER, email_key="a@example.org"))
            with database.transaction() as session:
                session.execute(text(statement))
            database.dispose()

    assert seen[0] == seen[1]
    assert seen[0][2] == 1
