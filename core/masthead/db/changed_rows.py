"""The rows that a transaction changes, as far as its statements name them by primary key.

It refines ``changed_tables.py``: the answer about one item outlives a change of another one. A
statement that isn't understood, such as an update with any other condition, changes unknown rows.
New rows don't count, because no answer about one row can depend on a row that didn't exist. The
rows of a table that is a part of another one (``PART_OF``) count as the row that they belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Insert, Table
from sqlalchemy.sql import operators
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import BinaryExpression, BindParameter, BooleanClauseList

PART_OF = "part_of"
"""The key in the ``info`` of a table whose rows are parts of the items of another table, which is
the value. The public sees them only with the item."""
Rows = frozenset[Any] | None
"""Values of the primary key of a table; None if they aren't known."""

_CHANGED = "masthead.changed_rows"


def changed_rows(connection: Connection, table: str) -> Rows:
    """Return the rows of a table that the transaction has changed or deleted so far."""
    known = connection.info.get(_CHANGED, {}).get(table)
    return None if known is None else frozenset(known)


def note_rows(
    connection: Connection, statement: UpdateBase, many: Any, one: Any, others: Iterable[Table]
) -> None:
    """Note the rows that an executed statement has changed.

    :param many: the parameters of several executions at once; empty for a single one.
    :param one: the parameters of a single execution.
    :param others: the further tables whose rows the statement may have changed.
    """
    changed = connection.info.setdefault(_CHANGED, {})
    owner, rows = owner_of(statement.table), _rows(statement, many or [one or {}])
    if rows is None or changed.get(owner, ()) is None:
        changed[owner] = None
    else:
        changed.setdefault(owner, set()).update(rows)
    # The parts that a deletion deletes belong to the deleted rows.
    further = {owner_of(other) for other in others} - {owner}
    changed.update(dict.fromkeys(further, None))


def owner_of(table: Any) -> str:
    """Return the name of the table that a table is a part of; its own if there is none."""
    owner: str = table.info.get(PART_OF, table.name)
    return owner


def forget_rows(connection: Connection) -> None:
    """Forget the rows of a transaction that ends."""
    connection.info.pop(_CHANGED, None)


def _rows(statement: Any, parameters: Iterable[Mapping[str, Any]]) -> set[Any] | None:
    """Return the rows that a statement changes; None if they aren't known."""
    table, key = statement.table, _key(statement.table)
    if isinstance(statement, Insert):
        # An upsert may change a row that exists.
        if key is None or getattr(statement, "_post_values_clause", None) is not None:
            return None
        if PART_OF not in table.info:
            return set()
        rows = {each.get(key.key) for each in parameters}
        return None if None in rows else rows
    # SQLAlchemy has no public name for the conditions of a statement.
    for condition in _conditions(statement._where_criteria):  # noqa: SLF001
        if key is not None and (bound := _bound(condition, key)) is not None:
            return {value for each in parameters for value in _values(condition, bound, each)}
    return None


def _key(table: Table) -> Column[Any] | None:
    """Return the column that identifies a row, or the row of which it is a part."""
    owner = table.info.get(PART_OF)
    if owner is None:
        keys = list(table.primary_key.columns)
    else:
        keys = [key.parent for key in table.foreign_keys if _target(key) == owner]
    return keys[0] if len(keys) == 1 else None


def _target(key: ForeignKey) -> str:
    return key.target_fullname.rpartition(".")[0]


def _conditions(criteria: Iterable[Any]) -> Iterator[Any]:
    """Yield the conditions that all must hold."""
    for each in criteria:
        if isinstance(each, BooleanClauseList) and each.operator is operators.and_:
            yield from _conditions(each.clauses)
        else:
            yield each


def _bound(condition: Any, key: Column[Any]) -> BindParameter[Any] | None:
    """Return the parameter that a condition compares the primary key with."""
    if not isinstance(condition, BinaryExpression):
        return None
    left, right = condition.left, condition.right
    is_key = getattr(left, "table", None) is not None and left.name == key.name
    is_known = condition.operator in (operators.eq, operators.in_op)
    if is_key and is_known and left.table.name == key.table.name:
        return right if isinstance(right, BindParameter) else None
    return None


def _values(
    condition: Any, bound: BindParameter[Any], parameters: Mapping[str, Any]
) -> Iterable[Any]:
    value = parameters.get(bound.key, bound.effective_value)
    return value if condition.operator is operators.in_op else [value]
