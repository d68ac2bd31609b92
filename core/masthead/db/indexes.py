"""Indexes that are built without blocking writers of their table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.schema import CreateIndex, Index
from sqlalchemy.sql.elements import ColumnElement, TextClause

from masthead.db.migrating import outside_transaction
from masthead.errors import StartError

_IS_INVALID = text(
    "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(:name) AND NOT indisvalid"
)


def create_index_concurrently(
    name: str,
    table: str,
    columns: Sequence[str | TextClause | ColumnElement[Any]],
    **options: Any,
) -> None:
    """Create an index on an existing table in a revision, without blocking writers of the table.

    The arguments are those of Alembic's ``op.create_index``. PostgreSQL builds the index outside of
    a transaction, so calls come before all other operations of a revision. A revision that was
    interrupted is run again: the function then drops an incomplete index, and keeps a complete
    one. SQLite creates the index as usual.

    :raises StartError: if the revision has already changed something.
    """
    # Alembic takes long to load.
    from alembic import op

    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        op.create_index(name, table, columns, **options)
        return
    if connection.exec_driver_sql("SELECT txid_current_if_assigned()").scalar() is not None:
        raise StartError(
            f"the revision that creates the index {name} concurrently has changed something"
            " before; move the other operations into a revision of their own"
        )
    with op.get_context().autocommit_block():
        _drop_invalid(op.get_bind(), name)
        op.create_index(
            name, table, columns, if_not_exists=True, postgresql_concurrently=True, **options
        )


def build(connection: Connection, indexes: Sequence[Index], replaced: Sequence[str] = ()) -> None:
    """Create indexes that don't exist yet, then drop those that they replace."""
    is_postgresql = connection.dialect.name == "postgresql"
    concurrently = " CONCURRENTLY" if is_postgresql else ""
    with outside_transaction(connection):
        for index in indexes:
            if is_postgresql:
                _drop_invalid(connection, str(index.name))
            # A model's own index is created within a transaction elsewhere.
            index.dialect_options["postgresql"]["concurrently"] = is_postgresql
            connection.execute(CreateIndex(index, if_not_exists=is_postgresql))
            index.dialect_options["postgresql"]["concurrently"] = False
        for name in replaced:
            quoted = connection.dialect.identifier_preparer.quote(name)
            connection.exec_driver_sql(f"DROP INDEX{concurrently} IF EXISTS {quoted}")


def _drop_invalid(connection: Connection, name: str) -> None:
    """Drop an index that an interrupted run has left incomplete."""
    quoted = connection.dialect.identifier_preparer.quote(name)
    if connection.execute(_IS_INVALID, {"name": quoted}).scalar():
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY {quoted}")
