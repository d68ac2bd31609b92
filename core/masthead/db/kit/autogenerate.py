"""Alembic's autogeneration of revisions for plugins whose tables use the kit.

The kit's columns, indexes and tables, and the indexes of lists, are neither compared nor rendered:
a new table is rendered as one call that names the kit.
"""

from __future__ import annotations

import ast
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alembic.autogenerate import render_op_text, renderers
from alembic.operations.ops import CreateTableOp, MigrateOperation, UpgradeOps
from sqlalchemy import Column, Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateColumn, SchemaItem

from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS
from masthead.db.kit.doubts import doubts_about
from masthead.db.kit.tables import KitTable, kit_tables, names_of
from masthead.db.list_indexes import list_indexes

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext

    from masthead.plugins import Plugin

# SQLAlchemy leaves the dialects' constructors untyped.
_DIALECTS: tuple[Dialect, ...] = (sqlite.dialect(), postgresql.dialect())  # type: ignore[no-untyped-call]
logger = logging.getLogger(__name__)

_COMPARED_BY_NAME = ("index", "unique_constraint", "foreign_key_constraint")
_LINE = ",\n"


class KitFilter:
    """A filter that hides the kit's columns, indexes and link tables from Alembic."""

    def __init__(self, plugin: Plugin) -> None:
        self._used = {table.name: _KitOwned(table) for table in kit_tables(plugin)}
        self._links = {name for owned in self._used.values() for name in owned.links}
        self._lists = {index.name for index in list_indexes([plugin])}

    def includes_name(self, name: str | None, kind: str) -> bool:
        """Whether Alembic reflects the object with this name in the database."""
        return kind != "table" or name not in self._links

    def includes(self, item: SchemaItem, name: str | None, kind: str, *_: Any) -> bool:
        """Whether Alembic compares a schema object."""
        if kind == "table":
            return name not in self._links
        if kind == "index" and name in self._lists:
            return False
        owned = self._used.get(getattr(getattr(item, "table", None), "name", ""))
        if owned is None:
            return True
        if kind == "column":
            return name not in owned.columns
        return kind not in _COMPARED_BY_NAME or name not in owned.constraints

    def rewrite(self, _context: Any, _revision: Any, directives: list[Any]) -> None:
        """Make a revision create each kit table by one call; Alembic calls this."""
        for script in directives:
            upgrade: UpgradeOps = script.upgrade_ops
            for line in doubts_about(upgrade):
                logger.warning("%s", line)
            upgrade.ops = [self._rewritten(operation) for operation in upgrade.ops]

    def _rewritten(self, operation: MigrateOperation) -> MigrateOperation:
        if isinstance(operation, CreateTableOp) and operation.table_name in self._used:
            return CreateKitTable(operation, self._used[operation.table_name])
        return operation


class _KitOwned:
    """The columns, constraints and link tables of a kit table that belong to the kit."""

    def __init__(self, table: KitTable) -> None:
        shape = table.shape(steps.newest())
        self.kit = table.kit
        self.links = {each.name for suffix, each in shape.items() if suffix != ITEMS}
        self.constraints = names_of(shape[ITEMS])
        """The names of the kit's indexes and constraints."""
        declared = table.model.c
        self.columns = frozenset(
            column.name
            for column in shape[ITEMS].c
            if column.name in declared
            and _definitions(column) == _definitions(declared[column.name])
        )
        """The names of the columns whose definition in the model equals the kit's."""


def _definitions(column: Column[Any]) -> list[str]:
    """Return the definition of a column for each database."""
    return [str(CreateColumn(column).compile(dialect=dialect)) for dialect in _DIALECTS]


@dataclass
class CreateKitTable(MigrateOperation):
    """The operation that creates a kit table, in place of Alembic's ``CreateTableOp``."""

    plain: CreateTableOp
    owned: _KitOwned


@renderers.dispatch_for(CreateKitTable)
def _render(context: AutogenContext, operation: CreateKitTable) -> str:
    """Render the call with the arguments of Alembic's own call that don't belong to the kit."""
    owned, text = operation.owned, render_op_text(context, operation.plain)
    context.imports.add("from masthead import create_kit_table")
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    written = {_name_of(part): part for part in call.args[1:] if isinstance(part, ast.Call)}
    # The declaration adds the position after all other columns of the model.
    places = [place for place, name in enumerate(written) if name in owned.columns - {"position"}]
    own = {n: part for n, part in written.items() if n not in owned.columns | owned.constraints}
    last = [name for name in [*written][max(places) :] if name in own and _is_column(own[name])]
    arguments = [repr(operation.plain.table_name), repr(owned.kit)]
    arguments += [_source(text, part) for name, part in own.items() if name not in last]
    arguments.append(f"kit={steps.newest()}")
    if owned.kit == steps.CONTENT:
        arguments.append(f"position={_source(text, written['position'].args[1])}")
    if last:
        arguments.append(f"last=[{', '.join(_source(text, own[name]) for name in last)}]")
    return f"create_kit_table({_LINE.join(arguments)})"


def _is_column(part: ast.Call) -> bool:
    return isinstance(part.func, ast.Attribute) and part.func.attr == "Column"


def _name_of(part: ast.Call) -> str:
    """Return the name of a rendered column or constraint."""
    names = (
        part.args[:1] if _is_column(part) else [k.value for k in part.keywords if k.arg == "name"]
    )
    texts = [n.value for each in names for n in ast.walk(each) if isinstance(n, ast.Constant)]
    return str(texts[0]) if texts else ast.dump(part)


def _source(text: str, part: ast.expr) -> str:
    found = ast.get_source_segment(text, part)
    assert found is not None
    return found
