"""Core's migrations create the tables that core's models declare."""

from __future__ import annotations

from masthead.instance import Instance
from masthead.testing.schema import schema_differences


def test_the_migrations_of_core_create_the_tables_of_its_models(instance: Instance) -> None:
    assert schema_differences(instance.database, instance.plugins) == []
