"""Write rows that may already exist in one statement, which is safe under concurrency."""

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
    """Insert a row; if its primary key exists, apply ``changes`` to the existing row."""
    session.execute(
        insert_into(session, model)
        .values(row)
        .on_conflict_do_update(index_elements=inspect(model).primary_key, set_=changes)
    )


def insert_missing(
    session: Session, model: type[DeclarativeBase], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert the rows whose primary key doesn't exist yet; existing rows stay unchanged."""
    session.execute(insert_into(session, model).values(rows).on_conflict_do_nothing())


def insert_into(session: Session, model: type[DeclarativeBase]) -> Any:
    """Return an ``INSERT`` for the session's database that supports ``ON CONFLICT``."""
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    return dialect.insert(model)
