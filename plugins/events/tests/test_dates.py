"""An event has a start, and its end is not before it, in creates and edits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from masthead.testing import Desk

START, END = "2026-05-02T18:00:00.000Z", "2026-05-02T20:30:00.000Z"
BEFORE, AFTER = "2026-05-02T17:59:59.999Z", "2026-05-02T20:30:00.001Z"
ERROR = "endDate: Must not be before startDate"

random_dates = profile(
    max_examples=20,
)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(timezones=offsets).filter(lambda moment: 1 < moment.year < 9999)


def wire(moment: datetime) -> str:
    """Return a time in the format of answers."""
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return plain.isoformat(timespec="milliseconds") + "Z"


@random_dates
@given(moments, moments)
def test_two_dates_are_accepted_if_the_end_is_not_before_the_start(
    desk: Desk, start: datetime, end: datetime
) -> None:
    wrong = wire(end) < wire(start)

    got = desk.create(
        startDate=start.isoformat(), endDate=end.isoformat(), status=400 if wrong else 200
    )

    if wrong:
        assert got["error"] == ERROR
    else:
        assert (got["startDate"], got["endDate"]) == (wire(start), wire(end))
        assert desk.show(got["id"]) == got


@random_dates
@given(moments, st.sampled_from(["startDate", "endDate"]), st.booleans())
def test_one_date_is_compared_with_the_stored_other(
    desk: Desk, moment: datetime, name: str, public: bool
) -> None:
    make = desk.create_public if public else desk.create
    event = make(startDate=START, endDate=END)
    wrong = wire(moment) < START if name == "endDate" else wire(moment) > END

    got = desk.edit(event["id"], **{name: moment.isoformat()}, status=400 if wrong else 200)

    if wrong:
        assert got["error"] == ERROR
        assert desk.show(event["id"]) == event
    else:
        assert got[name] == wire(moment)


def test_a_date_is_compared_with_the_staged_other(desk: Desk) -> None:
    event = desk.create_public(startDate=START, endDate=END)
    desk.edit(event["id"], endDate=None)
    moved = desk.edit(event["id"], startDate=AFTER)
    assert moved["staged"] is True

    assert desk.edit(event["id"], endDate=END, status=400)["error"] == ERROR
    assert desk.edit(event["id"], endDate=AFTER)["endDate"] == AFTER


def test_an_end_may_be_the_start_or_missing(desk: Desk) -> None:
    event = desk.create(startDate=START, endDate=START)
    assert event["endDate"] == START

    assert desk.edit(event["id"], endDate=None)["endDate"] is None
    assert desk.edit(event["id"], startDate=AFTER)["startDate"] == AFTER
    assert desk.edit(event["id"], endDate=START, status=400)["error"] == ERROR
    assert desk.create(startDate=START)["endDate"] is None


@pytest.mark.parametrize(
    "wrong",
    ["", " ", None, 0, 1.5, True, [], {}, "soon", "2026-02-30", "2026-05-02T25:00:00Z", "\u0000"],
)
def test_an_invalid_start_is_refused(wrong: Any, desk: Desk) -> None:
    event = desk.create(startDate=START)

    assert desk.create(startDate=wrong, status=400)["error"].startswith("startDate: ")
    assert desk.edit(event["id"], startDate=wrong, status=400)["error"].startswith("startDate: ")
    assert desk.list() == [{n: v for n, v in event.items() if n not in ("content", "tags", "live")}]


def test_a_create_needs_a_start(desk: Desk) -> None:
    assert desk.create(status=400)["error"] == "startDate: Required"
    assert desk.list() == []


def test_an_invalid_end_is_refused(desk: Desk) -> None:
    for wrong in (0, True, [], "later", "2026-13-01"):
        error = desk.create(startDate=START, endDate=wrong, status=400)["error"]
        assert error.startswith("endDate: ")
    assert desk.list() == []


def test_dates_are_compared_to_the_millisecond(desk: Desk) -> None:
    desk.create(startDate=START, endDate=BEFORE, status=400)
    # Fractions of a millisecond are not stored.
    event = desk.create(startDate="2026-05-02T18:00:00.0009Z", endDate="2026-05-02T18:00:00.0001Z")
    assert event["startDate"] == event["endDate"] == START
