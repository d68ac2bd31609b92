from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from masthead.db import Database


@pytest.fixture(autouse=True)
def file(database: Database) -> Path:
    if database.dialect != "sqlite":
        pytest.skip("PostgreSQL looks after itself")
    return Path(str(database.url.database))


def fill(database: Database) -> None:
    """Write ten megabytes in one transaction."""
    with database.transaction() as session:
        session.execute(text("CREATE TABLE IF NOT EXISTS filler (body BLOB)"))
        session.execute(text("INSERT INTO filler VALUES (zeroblob(10000000))"))


def test_a_worker_writes_the_log_back_and_requests_do_not(
    file: Path, database: Database, work: Callable[[], None]
) -> None:
    before = file.stat().st_size
    fill(database)
    assert file.stat().st_size == before

    work()

    assert file.stat().st_size > before + 9_000_000


def test_the_write_ahead_log_is_limited_without_a_worker(file: Path, database: Database) -> None:
    for _ in range(10):
        fill(database)

    assert file.with_name(f"{file.name}-wal").stat().st_size < 90_000_000
    assert file.stat().st_size > 60_000_000


def test_the_statistics_of_the_query_planner_are_updated(
    database: Database, work: Callable[[], None]
) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE INDEX ix_core_seen_name ON core_seen (name)"))

    work()

    with database.read() as connection:
        known = connection.execute(text("SELECT count(*) FROM sqlite_stat1")).scalar_one()
    assert known > 0
