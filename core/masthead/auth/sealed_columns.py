"""Columns of encrypted values, which are encrypted anew after a change of the secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    and_,
    bindparam,
    func,
    not_,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.auth.sealing import seal, seal_prefixes, unseal
from masthead.errors import StartError
from masthead.instance import Instance, instance_of

_KEY = "sealed"
_BATCH = 100
"""The number of values that are encrypted at once; on SQLite, other writers wait meanwhile."""


@dataclass(frozen=True)
class _Sealed:
    """The declaration of a column."""

    purpose: str
    plain: str | None


def sealed_column(purpose: str, plain: str | None = None) -> dict[str, Any]:
    """Return the ``info`` of a column with values of ``seal``, so that they outlive a secret.

    :param purpose: the purpose of the values, such as ``totp.secret``.
    :param plain: the name of a column of the same table with values that aren't encrypted yet;
        ``masthead db upgrade`` and a job encrypt them, and empty it.
    """
    return {_KEY: _Sealed(purpose, plain)}


def is_unreadable(
    instance: Instance, column: Column[Any] | InstrumentedAttribute[Any]
) -> ColumnElement[bool]:
    """Return the condition that a value was encrypted with a secret that isn't known.

    :param column: a column with the ``info`` of :func:`sealed_column`.
    :raises StartError: where no secret can be used.
    """
    prefixes = seal_prefixes(instance, column.info[_KEY].purpose)
    return and_(column.is_not(None), *(not_(_begins(column, each)) for each in prefixes))


def reseal(session: Session) -> bool:
    """Encrypt some values with the present secret; return whether there may be more.

    They are those of former secrets, and those that aren't encrypted yet.

    :raises StartError: where no secret can be used.
    """
    return any(_reseal_column(session, column) for column in _columns_of(instance_of(session)))


def reseal_all(session: Session) -> None:
    """Encrypt all values with the present secret.

    :raises StartError: where no secret can be used.
    """
    while reseal(session):
        pass


def sealed_trouble(instance: Instance) -> str | None:
    """Return how many values no secret decrypts, by table."""
    found = []
    with instance.database.read() as connection:
        for column in _columns_of(instance):
            try:
                lost = is_unreadable(instance, column)
            except StartError:  # the check of the secrets tells it
                return None
            number = connection.scalar(select(func.count()).select_from(column.table).where(lost))
            found += [f"{number} of {column.table.name}"] if number else []
    return f"no secret decrypts the values of these rows: {', '.join(found)}" if found else None


def _columns_of(instance: Instance) -> list[Column[Any]]:
    return [
        column
        for plugin in instance.plugins
        if plugin.metadata is not None
        for table in plugin.metadata.sorted_tables
        for column in table.columns
        if _KEY in column.info
    ]


def _reseal_column(session: Session, column: Column[Any]) -> bool:
    instance, sealed = instance_of(session), column.info[_KEY]
    [key] = column.table.primary_key.columns
    plain = column.table.c[sealed.plain] if sealed.plain else None
    _, *former = seal_prefixes(instance, sealed.purpose)
    stale = [_begins(column, each) for each in former]
    stale += [] if plain is None else [plain.is_not(None)]
    if not stale:
        return False
    wanted = select(
        key.label("id"), column.label("text"), (null() if plain is None else plain).label("plain")
    )
    rows = session.execute(
        wanted.where(or_(*stale)).order_by(key).limit(_BATCH).with_for_update()
    ).all()
    new = [values for row in rows if (values := _resealed(instance, sealed.purpose, row))]
    if new:
        emptied = {} if plain is None else {plain: None}
        statement = update(column.table).where(key == bindparam("of_row"))
        session.connection().execute(statement.values({column: bindparam("new"), **emptied}), new)
    return bool(new) and len(rows) == _BATCH


def _resealed(instance: Instance, purpose: str, row: Row[Any, Any, Any]) -> dict[str, Any] | None:
    """Return the new value of a row; None if it can't be read."""
    value = unseal(instance, purpose, row.text) if row.plain is None else row.plain
    return None if value is None else {"of_row": row.id, "new": seal(instance, purpose, value)}


def _begins(column: Any, prefix: str) -> ColumnElement[bool]:
    begins: ColumnElement[bool] = column.startswith(prefix, autoescape=True)
    return begins
