"""Both databases store and compare times and folded text alike."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from unicodedata import category

import pytest
import time_machine
from sqlalchemy import Column, Integer, Table, func, insert, select
from sqlalchemy.exc import StatementError

from masthead.db import Database, UTCDateTime, fold, plugin_metadata, utc_text, utcnow, wire_time

metadata = plugin_metadata("toy")
moments = Table(
    "toy_moments", metadata, Column("id", Integer, primary_key=True), Column("at", UTCDateTime)
)
NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, UTC)


@pytest.fixture
def filled(database: Database) -> Database:
    metadata.create_all(database.engine)
    return database


def store(database: Database, *times: datetime | None) -> None:
    with database.transaction() as session:
        session.execute(insert(moments), [{"at": time} for time in times])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (NOON, datetime(2026, 3, 1, 12, 0, 0, 123000, UTC)),
        (
            datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=5, minutes=45))),
            datetime(2026, 3, 1, 6, 15, tzinfo=UTC),
        ),
        (datetime(1, 1, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)),
        (
            datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
            datetime(9999, 12, 31, 23, 59, 59, 999000, UTC),
        ),
        (None, None),
    ],
)
def test_a_time_is_returned_in_utc_with_milliseconds(
    filled: Database, given: datetime | None, kept: datetime | None
) -> None:
    store(filled, given)

    with filled.read() as connection:
        found = connection.scalar(select(moments.c.at))

    assert found == kept
    assert found is None or found.tzinfo is UTC


def test_a_naive_time_is_refused(filled: Database) -> None:
    with pytest.raises(StatementError, match="has no time zone"):
        store(filled, datetime(2026, 3, 1))  # noqa: DTZ001 - the test needs a naive time

    with pytest.raises(ValueError, match="has no time zone"):
        # The test needs a naive time.
        utc_text(datetime(2026, 3, 1))  # noqa: DTZ001


def test_times_sort_and_compare_chronologically(filled: Database) -> None:
    steps = [-(10**9), -1, -0.001, 0, 0.001, 0.01, 1, 10**9]
    times = [NOON + timedelta(seconds=step) for step in steps]
    store(filled, *reversed(times))

    with filled.read() as connection:
        found = connection.scalars(select(moments.c.at).order_by(moments.c.at)).all()
        before = connection.scalars(select(moments.c.at).where(moments.c.at < NOON)).all()
        latest = connection.scalar(select(func.max(moments.c.at)))

    assert all(one < other for one, other in pairwise(found))
    assert len(found) == len(times)
    assert len(before) == 3
    assert latest == found[-1]


def test_the_database_formats_times_as_the_api_does(filled: Database) -> None:
    store(filled, NOON, datetime(987, 1, 2, 3, 4, 5, tzinfo=UTC), None)

    with filled.read() as connection:
        found = connection.scalars(select(wire_time(moments.c.at)).order_by(moments.c.id)).all()

    assert found == ["2026-03-01T12:00:00.123Z", "0987-01-02T03:04:05.000Z", None]


def test_now_is_aware_and_truncated_to_milliseconds() -> None:
    with time_machine.travel(NOON, tick=False):
        assert utcnow() == datetime(2026, 3, 1, 12, 0, 0, 123000, UTC)
        assert utc_text(utcnow()) == "2026-03-01T12:00:00.123Z"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("ÉCOLE", "e\u0301cole"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ﬁle", "FILE"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_names_that_differ_only_in_case_or_form_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_folding_folded_text_changes_nothing() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    characters = [c for c in every if category(c) not in ("Cn", "Co", "Cs")]

    assert [c for c in characters if fold(fold(c)) != fold(c)] == []
