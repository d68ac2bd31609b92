"""Writing rows that may exist already, in one statement, so that two at once get along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session


def upsert(
    session: Session,
    model: type[DeclarativeBase],
    row: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> None:
    """Insert a row; where its primary key is taken, make ``changes`` to the row that has it."""
    session.execute(
        insert_into(session, model)
        .values(row)
        .on_conflict_do_update(index_elements=inspect(model).primary_key, set_=changes)
    )


def insert_missing(
    session: Session, model: type[DeclarativeBase], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows; those whose primary key is taken stay as they are."""
    session.execute(insert_into(session, model).values(rows).on_conflict_do_nothing())


def insert_into(session: Session, model: type[DeclarativeBase]) -> Any:
    """An ``INSERT`` of the session's database, which can say what is done ``ON CONFLICT``."""
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    return dialect.insert(model)
