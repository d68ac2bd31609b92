"""What Alembic loses when it rebuilds a SQLite table to alter it, kept."""

from __future__ import annotations

import re
from typing import Any

from alembic.ddl.sqlite import SQLiteImpl
from sqlalchemy import Connection, ForeignKeyConstraint, Table, text
from sqlalchemy.schema import CreateIndex

# Options of CREATE TABLE that reflection doesn't see: the words, SQLAlchemy's name and value.
_OPTIONS = (
    (r"\bAUTOINCREMENT\b", "autoincrement", True),
    (r"\)\s*[^)]*\bWITHOUT\s+ROWID\b[^)]*\Z", "with_rowid", False),
    (r"\)\s*[^)]*\bSTRICT\b[^)]*\Z", "strict", True),
)


class KeepingSQLiteImpl(SQLiteImpl):
    """Alembic's SQLite, but a rebuilt table keeps its options, every index and its triggers.

    Alembic reads the old table by reflection, which knows no AUTOINCREMENT, no WITHOUT ROWID, no
    index on an expression, no DESC and no name of a reference that was added with its column, and
    drops them without a word. An index or trigger that
    names a column which the rebuilding drops makes it fail: drop it in the migration first.

    Defining the class is what makes Alembic use it, for every SQLite database in the process.
    """

    __dialect__ = "sqlite"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._kept: dict[str, list[str]] = {}

    def prep_table_for_batch(self, batch_impl: Any, table: Table) -> None:
        """Note what the old table has before it goes; called by Alembic."""
        super().prep_table_for_batch(batch_impl, table)
        assert self.connection is not None
        definition, *parts = _definitions(self.connection, table.name)
        for words, option, value in _OPTIONS:
            if re.search(words, definition[1], re.IGNORECASE):
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
        """Rename the table, and where it is a rebuilt one give back what was kept of the old."""
        super().rename_table(old_table_name, new_table_name, schema=schema)
        for sql in self._kept.pop(old_table_name, ()):
            self._exec(text(sql.replace(":", r"\:")))


def _name_in_column(constraint: ForeignKeyConstraint, definition: str) -> str | None:
    """The name of a reference that was added with its column, which reflection doesn't see."""
    column = re.escape(constraint.column_keys[0])
    found = re.search(rf'\b{column}\b"?\s[^,]*?\bCONSTRAINT "?(\w+)"? REFERENCES', definition)
    return found[1] if found else None


def _definitions(connection: Connection, table: str) -> list[tuple[str, str]]:
    """Return name and SQL of the table, then of its indexes and triggers that have SQL."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL"
        " ORDER BY type != 'table', rowid",
        (table,),
    )
    return [(row.name, row.sql) for row in rows]
