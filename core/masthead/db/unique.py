"""Uniqueness, enforced by the database and reported to the client in a readable message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Index, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.errors import Invalid


@contextmanager
def unique(
    session: Session, refusal: str | Invalid, *columns: InstrumentedAttribute[Any]
) -> Iterator[None]:
    """Refuse the writes of the block if ``columns`` together would no longer be unique.

    The block is a savepoint that is flushed at its end, so the transaction can continue after a
    violation. Make the changes inside the block. Nest blocks for several constraints.

    :param refusal: the refusal, or its message.
    :param columns: columns of one model, in the order of their unique constraint, index or primary
        key.
    :raises Invalid: the refusal, on a violation; any other IntegrityError propagates.
    """
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        if violates(error, *columns):
            raise (Invalid(refusal) if isinstance(refusal, str) else refusal) from None
        raise


def violates(error: IntegrityError, *columns: InstrumentedAttribute[Any]) -> bool:
    """Whether the error is a violation of the uniqueness of ``columns`` together."""
    return _broken(error) in _names_of(columns)


def _broken(error: IntegrityError) -> str | None:
    """Return the violated constraint: its name on PostgreSQL, its columns on SQLite."""
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is not None:
        name: str | None = diagnosis.constraint_name
        return name
    return str(error.orig).removeprefix("UNIQUE constraint failed: ")


def _names_of(columns: tuple[InstrumentedAttribute[Any], ...]) -> set[str]:
    table = columns[0].class_.__table__
    assert isinstance(table, Table)
    wanted = [column.property.columns[0] for column in columns]
    keys = [
        key
        for key in (*table.constraints, *table.indexes)
        if isinstance(key, UniqueConstraint | Index | PrimaryKeyConstraint)
        and list(key.columns) == wanted
    ]
    return {", ".join(str(column) for column in wanted), *(str(key.name) for key in keys)}
