"""The migrations of core and of all plugins can run while the previous release serves requests."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from masthead import Instance
from masthead.db.comparing import differences
from masthead.testing import Database, migration_problems
from masthead.testing.postgres import create_database, drop_database


@pytest.mark.slow
def test_no_revision_blocks_or_breaks_the_previous_release(
    instance: Instance, postgresql_server: Callable[[], str]
) -> None:
    name = f"rolling_{uuid4().hex}"
    database = Database(create_database(postgresql_server(), name))

    problems = migration_problems(database, instance.plugins)

    database.dispose()
    drop_database(postgresql_server(), name)
    assert problems == []


def test_the_migrations_of_all_plugins_create_the_tables_of_the_models(instance: Instance) -> None:
    assert differences(instance.database, instance.plugins) == []
