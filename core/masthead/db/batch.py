"""Preserve table options, indexes and triggers when Alembic rebuilds a SQLite table to alter it."""

from __future__ import annotations

import re
from typing import Any

from alembic.ddl.sqlite import SQLiteImpl
from sqlalchemy import Connection, ForeignKeyConstraint, Table, text
from sqlalchemy.schema import CreateIndex

# Options of CREATE TABLE that reflection misses: the SQL pattern, SQLAlchemy's option and value.
_OPTIONS = (
    (r"\bAUTOINCREMENT\b", "autoincrement", True),
    (r"\)\s*[^)]*\bWITHOUT\s+ROWID\b[^)]*\Z", "with_rowid", False),
    (r"\)\s*[^)]*\bSTRICT\b[^)]*\Z", "strict", True),
)


class PreservingSQLiteImpl(SQLiteImpl):
    """Alembic's SQLite implementation with rebuilt tables that keep options, indexes and triggers.

    Alembic reads the old table by reflection. Reflection misses AUTOINCREMENT, WITHOUT ROWID,
    indexes on expressions, DESC, and the name of a foreign key that was added with its column, so
    Alembic drops them silently. If an index or trigger names a column that the rebuild drops, the
    rebuild fails: drop the index or trigger earlier in the migration.

    Alembic uses this class for every SQLite database in the process as soon as it is defined.
    """

    __dialect__ = "sqlite"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._kept: dict[str, list[str]] = {}

    def prep_table_for_batch(self, batch_impl: Any, table: Table) -> None:
        """Record the definitions of the old table before Alembic drops it."""
        super().prep_table_for_batch(batch_impl, table)
        assert self.connection is not None
        definition, *parts = _definitions(self.connection, table.name)
        for pattern, option, value in _OPTIONS:
            if re.search(pattern, definition[1], re.IGNORECASE):
                batch_impl.new_table.dialect_options["sqlite"][option] = value
        for constraint in batch_impl.new_table.foreign_key_constraints:
            if constraint.name is None:
                constraint.name = _name_in_column(constraint, definition[1])
        seen = {str(index.name): index for index in table.indexes}
        kept = self._kept[batch_impl.new_table.name] = []
        for name, sql in parts:
            index = seen.get(name)
            if index is None or str(CreateIndex(index).compile(dialect=self.dialect)) != sql:
                batch_impl.indexes.pop(name, None)
                kept.append(sql)

    def rename_table(self, old_table_name: str, new_table_name: Any, schema: Any = None) -> None:
        """Rename the table; restore the indexes and triggers if it is a rebuilt table."""
        super().rename_table(old_table_name, new_table_name, schema=schema)
        for sql in self._kept.pop(old_table_name, ()):
            self._exec(text(sql.replace(":", r"\:")))


def _name_in_column(constraint: ForeignKeyConstraint, definition: str) -> str | None:
    """Return the name of a foreign key that was added with its column; reflection misses it."""
    column = re.escape(constraint.column_keys[0])
    found = re.search(rf'\b{column}\b"?\s[^,]*?\bCONSTRAINT "?(\w+)"? REFERENCES', definition)
    return found[1] if found else None


def _definitions(connection: Connection, table: str) -> list[tuple[str, str]]:
    """Return the name and SQL of the table, then of each index and trigger that has SQL."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL"
        " ORDER BY type != 'table', rowid",
        (table,),
    )
    return [(row.name, row.sql) for row in rows]
