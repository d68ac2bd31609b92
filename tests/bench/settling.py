"""Leaving a database that was just filled as it would be some hours later."""

from __future__ import annotations

from masthead.db import Database

_ON_SQLITE = ("ANALYZE",)
# What was committed without waiting for the disk isn't known to be all visible before it is there.
_ON_POSTGRESQL = ("SET synchronous_commit = on", "CHECKPOINT", "VACUUM ANALYZE")


def settle(database: Database) -> None:
    """Do what workers and databases do by themselves, sooner or later."""
    statements = _ON_SQLITE if database.dialect == "sqlite" else _ON_POSTGRESQL
    autocommit = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with autocommit.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
