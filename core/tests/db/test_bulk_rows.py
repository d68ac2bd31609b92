"""Rows are staged before the transaction begins."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, BigInteger, Column, MetaData, Table, Text, func, select
from sqlalchemy.exc import IntegrityError

from masthead import Instance
from masthead.db import UTCDateTime
from masthead.db.bulk_rows import index_rows, stage_rows

STAGED = Table(
    "core_staged_word",
    MetaData(),
    Column("number", BigInteger),
    Column("word", Text),
    Column("tags", JSON(none_as_null=True)),
    Column("at", UTCDateTime()),
    prefixes=["TEMPORARY"],
)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROWS: list[tuple[Any, ...]] = [
    (1, "Ada", ["ä", "b"], NOON),
    (2, None, None, None),
    (3, "Zoë", [], NOON),
]


def test_staged_rows_are_seen_in_the_block_and_dropped_after_success_and_failure(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken() -> Iterator[tuple[Any, ...]]:
        yield ROWS[0]
        raise LookupError

    def empty(rows: Iterable[tuple[Any, ...]]) -> None:
        with stage_rows(instance.database, STAGED, rows) as session:
            session.execute(STAGED.delete())
            assert session.scalar(select(func.count()).select_from(STAGED)) == 0
            raise KeyError

    # Both rounds use the same pooled connection.
    for _ in range(2):
        with stage_rows(instance.database, STAGED, ROWS) as session:
            assert list(session.execute(select(STAGED))) == ROWS
            assert list(tmp_path.iterdir()) == []
        with pytest.raises(LookupError):
            empty(broken())
        with pytest.raises(KeyError):
            empty(ROWS)


def test_the_values_of_an_indexed_column_are_different(instance: Instance) -> None:
    def repeat(number: int) -> None:
        with stage_rows(instance.database, STAGED, ROWS) as session:
            index_rows(session, STAGED.c.number)
            values = {"number": number, "word": None, "tags": None, "at": None}
            session.execute(STAGED.insert().values(values))
            assert session.scalar(select(func.count()).select_from(STAGED)) == 4

    # Both calls use the same pooled connection.
    repeat(4)
    with pytest.raises(IntegrityError):
        repeat(3)
