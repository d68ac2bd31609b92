"""Rows that lie ready before a transaction begins."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, Column, MetaData, Table, Text, func, select

from masthead import Instance
from masthead.db.bulk_rows import stage_rows

STAGED = Table(
    "core_staged_word",
    MetaData(),
    Column("number", BigInteger),
    Column("word", Text),
    prefixes=["TEMPORARY"],
)
ROWS = [(1, "Ada"), (2, None), (3, "Zoë")]


def test_what_is_staged_is_found_and_gone_afterwards_however_it_ends(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken() -> Iterator[tuple[int, str]]:
        yield 1, "Ada"
        raise LookupError

    def empty(rows: Iterable[tuple[int, str | None]]) -> None:
        with stage_rows(instance.database, STAGED, rows) as session:
            session.execute(STAGED.delete())
            assert session.scalar(select(func.count()).select_from(STAGED)) == 0
            raise KeyError

    # One after the other has the same connection.
    for _ in range(2):
        with stage_rows(instance.database, STAGED, ROWS) as session:
            assert list(session.execute(select(STAGED))) == ROWS
            assert list(tmp_path.iterdir()) == []
        with pytest.raises(LookupError):
            empty(broken())
        with pytest.raises(KeyError):
            empty(ROWS)
