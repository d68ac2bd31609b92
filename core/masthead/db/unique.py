"""Names that must be unique: the database decides, and the client reads why it was refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Index, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.errors import Invalid


@contextmanager
def unique(session: Session, message: str, *columns: InstrumentedAttribute[Any]) -> Iterator[None]:
    """Refuse what the block writes where ``columns`` together would no longer be unique.

    ``columns`` are a model's, in the order of their unique constraint, index or primary key. The
    changes have to be made inside the block: it is a savepoint, flushed at its end, so the
    transaction goes on after a refusal. Blocks nest, for several constraints. Invalid with
    ``message`` on a violation; any other IntegrityError passes.
    """
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        if violates(error, *columns):
            raise Invalid(message) from None
        raise


def violates(error: IntegrityError, *columns: InstrumentedAttribute[Any]) -> bool:
    """Whether it is the uniqueness of ``columns`` together that a statement would have broken."""
    return _broken(error) in _names_of(columns)


def _broken(error: IntegrityError) -> str | None:
    """What the database calls the constraint: PostgreSQL by its name, SQLite by its columns."""
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
