"""How Alembic writes revisions of a plugin whose tables use the kit.

What the kit brings is neither compared nor written: a new table is one call that names the kit.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alembic.autogenerate import render_op_text, renderers
from alembic.operations.ops import CreateTableOp, MigrateOperation, UpgradeOps
from sqlalchemy import Column, Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateColumn, SchemaItem

from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS
from masthead.db.kit.tables import KitTable, kit_tables, names_of

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext

    from masthead.plugins import Plugin

# SQLAlchemy leaves the dialects' constructors untyped.
_DIALECTS: tuple[Dialect, ...] = (sqlite.dialect(), postgresql.dialect())  # type: ignore[no-untyped-call]
_COMPARED_BY_NAME = ("index", "unique_constraint", "foreign_key_constraint")
_LINE = ",\n"


class KitFilter:
    """What of a plugin's tables is its own; the rest is the kit's."""

    def __init__(self, plugin: Plugin) -> None:
        self._used = {table.name: _Split(table) for table in kit_tables(plugin)}
        self._links = {name for split in self._used.values() for name in split.links}

    def takes_name(self, name: str | None, kind: str) -> bool:
        """Whether Alembic looks at what a database calls so."""
        return kind != "table" or name not in self._links

    def takes(self, item: SchemaItem, name: str | None, kind: str, *_: Any) -> bool:
        """Whether Alembic compares a part of the schema."""
        if kind == "table":
            return name not in self._links
        split = self._used.get(getattr(getattr(item, "table", None), "name", ""))
        if split is None:
            return True
        if kind == "column":
            return name not in split.kept
        return kind not in _COMPARED_BY_NAME or name not in split.names

    def rewrite(self, _context: Any, _revision: Any, directives: list[Any]) -> None:
        """Let a revision make tables of the kit by one call each."""
        for script in directives:
            upgrade: UpgradeOps = script.upgrade_ops
            upgrade.ops = [self._rewritten(operation) for operation in upgrade.ops]

    def _rewritten(self, operation: MigrateOperation) -> MigrateOperation:
        if isinstance(operation, CreateTableOp) and operation.table_name in self._used:
            return CreateKitTable(operation, self._used[operation.table_name])
        return operation


class _Split:
    """A table of the kit, parted into what the kit brings and what is the plugin's."""

    def __init__(self, table: KitTable) -> None:
        shape = table.shape(steps.newest())
        self.kit = table.kit
        self.links = {each.name for end, each in shape.items() if end != ITEMS}
        self.names = names_of(shape[ITEMS])
        """The indexes and constraints that the kit brings."""
        declared = table.model.c
        self.kept = frozenset(
            column.name
            for column in shape[ITEMS].c
            if column.name in declared and _words(column) == _words(declared[column.name])
        )
        """The columns that are as the kit has them; one that the model declares otherwise isn't."""


def _words(column: Column[Any]) -> list[str]:
    """The definition of a column on each database."""
    return [str(CreateColumn(column).compile(dialect=dialect)) for dialect in _DIALECTS]


@dataclass
class CreateKitTable(MigrateOperation):
    """Makes a table of the kit where Alembic would make any other."""

    plain: CreateTableOp
    split: _Split


@renderers.dispatch_for(CreateKitTable)
def _render(context: AutogenContext, operation: CreateKitTable) -> str:
    """Write the call with those arguments of Alembic's own one that aren't the kit's."""
    split, text = operation.split, render_op_text(context, operation.plain)
    context.imports.add("from masthead import create_kit_table")
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    written = {_name_of(part): part for part in call.args[1:] if isinstance(part, ast.Call)}
    # The position comes last of all, as a declaration adds it to the model.
    places = [place for place, name in enumerate(written) if name in split.kept - {"position"}]
    own = {n: part for n, part in written.items() if n not in split.kept | split.names}
    last = [name for name in [*written][max(places) :] if name in own and _is_column(own[name])]
    arguments = [repr(operation.plain.table_name), repr(split.kit)]
    arguments += [_source(text, part) for name, part in own.items() if name not in last]
    arguments.append(f"kit={steps.newest()}")
    if split.kit == steps.CONTENT:
        arguments.append(f"position={_source(text, written['position'].args[1])}")
    if last:
        arguments.append(f"last=[{', '.join(_source(text, own[name]) for name in last)}]")
    return f"create_kit_table({_LINE.join(arguments)})"


def _is_column(part: ast.Call) -> bool:
    return isinstance(part.func, ast.Attribute) and part.func.attr == "Column"


def _name_of(part: ast.Call) -> str:
    """The name of a column or constraint as it is written down."""
    names = (
        part.args[:1] if _is_column(part) else [k.value for k in part.keywords if k.arg == "name"]
    )
    texts = [n.value for each in names for n in ast.walk(each) if isinstance(n, ast.Constant)]
    return str(texts[0]) if texts else ast.dump(part)


def _source(text: str, part: ast.expr) -> str:
    found = ast.get_source_segment(text, part)
    assert found is not None
    return found
