"""Bring a database that was just filled into the state of some hours later."""

from __future__ import annotations

from masthead.db import Database

_ON_SQLITE = ("ANALYZE",)
# Rows of an asynchronous commit are not known to be visible to all before it is on the disk.
_ON_POSTGRESQL = ("SET synchronous_commit = on", "CHECKPOINT", "VACUUM ANALYZE")


def settle(database: Database) -> None:
    """Do the maintenance that workers and databases do from time to time."""
    statements = _ON_SQLITE if database.dialect == "sqlite" else _ON_POSTGRESQL
    autocommit = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with autocommit.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
