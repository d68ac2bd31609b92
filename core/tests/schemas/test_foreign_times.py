"""Times as other systems write them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from masthead.db import utc_text
from masthead.schemas.foreign_times import DateOrder, find_date_order, read_foreign_time

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-01T10:00:00Z",
        "2024-05-01T12:00:00+02:00",
        "2024-05-01T12:00:00.000+0200",
        "2024-05-01 12:00:00+02",
        "2024-05-01 12:00:00 +0200",
        "2024-05-01 10:00:00 UTC",
        "2024-05-01 10:00:00 Z",
        "20240501T100000Z",
        "Wed, 01 May 2024 12:00:00 +0200",
        "Wed, 1 May 2024 10:00 GMT",
        "01 May 2024 10:00:00 UT",
        "Wed, 01 May 2024 06:00:00 EDT",
        "wed, 01 may 2024 10:00:00 -0000",
        1714557600,
        1714557600.0,
        1714557600000,
        "1714557600",
        "1714557600000",
        "  2024-05-01T10:00:00Z ",
    ],
)
def test_a_time_with_a_zone_is_read_alike_in_all_forms(value: Any) -> None:
    for zone in (UTC, BERLIN):
        found = read_foreign_time(value, zone)
        if value != "wed, 01 may 2024 10:00:00 -0000":
            assert found == datetime(2024, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("zone", [UTC, BERLIN])
@pytest.mark.parametrize(
    ("value", "local"),
    [
        ("2024-05-01", "2024-05-01T00:00"),
        ("2024-05-01 10:00:00", "2024-05-01T10:00"),
        ("2024-05-01T10:00", "2024-05-01T10:00"),
        ("2024/05/01 10:00:00", "2024-05-01T10:00"),
        ("20240501", "2024-05-01T00:00"),
        ("2024-W18-3", "2024-05-01T00:00"),
        ("Wed, 01 May 2024 10:00:00", "2024-05-01T10:00"),
        ("2024-12-01 10:00:00", "2024-12-01T10:00"),
    ],
)
def test_a_time_without_a_zone_is_of_the_stated_one(value: str, local: str, zone: tzinfo) -> None:
    assert read_foreign_time(value, zone) == datetime.fromisoformat(local).replace(tzinfo=zone)


@pytest.mark.parametrize(
    "value", ["01/02/2024", "1.2.2024", "01-02-2024 10:00", "31/12/2024", "1/2/24", "12/31/2024"]
)
def test_an_ambiguous_date_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="is ambiguous; write the year first"):
        read_foreign_time(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "2024-13-01",
        "Wed, 31 Feb 2024 10:00:00 GMT",
        "Wed, 01 May 2024 10:00:00 CEST",
        "Wed, 01 May 2024 25:00:00 GMT",
        "01 Jan 0001 00:00:00 +2300",
        "0001-01-01",
        20240501,
        2024,
        0,
        -1,
        10**14,
        10**400,
        True,
        None,
        [],
        "٢٠٢٤-٠٥-٠١",
        "1714557600" * 2,
        "2024-05-01" + " " * 100 + "Z",
        "2024-05-01T10:00:00+99:99",
    ],
)
def test_what_is_no_time_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_foreign_time(value, BERLIN)


def test_a_fraction_is_cut_to_milliseconds() -> None:
    assert utc_text(read_foreign_time(1714557600.9999)) == "2024-05-01T10:00:00.999Z"


@pytest.mark.parametrize(
    ("value", "order", "expected"),
    [
        ("01/05/2024", "day", "2024-05-01T00:00:00.000Z"),
        ("05/01/2024", "month", "2024-05-01T00:00:00.000Z"),
        ("1.5.2024 09:30", "day", "2024-05-01T09:30:00.000Z"),
        ("05-01-2024, 9:30:15 PM", "month", "2024-05-01T21:30:15.000Z"),
        ("05/01/2024 12:00 am", "month", "2024-05-01T00:00:00.000Z"),
        ("2024-05-01", "month", "2024-05-01T00:00:00.000Z"),
    ],
)
def test_dates_that_end_with_the_year_are_read_in_a_given_order(
    value: str, order: DateOrder, expected: str
) -> None:
    assert utc_text(read_foreign_time(value, order=order)) == expected


@pytest.mark.parametrize("value", ["31/31/2024", "31/02/2024", "05/05/2024 13:00 PM", "1/1/0000"])
def test_dates_that_do_not_exist_are_refused_in_any_order(value: str) -> None:
    for order in ("day", "month"):
        with pytest.raises(ValueError, match="Must be a time that exists"):
            read_foreign_time(value, order=order)


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["01/02/2024", "31/01/2024 10:00"], "day"),
        (["01/02/2024", " 1/31/2024 "], "month"),
        (["01/02/2024"], None),
        (["31/01/2024", "01/31/2024"], None),
        (["2024-01-31", "", "x"], None),
    ],
)
def test_a_day_above_twelve_shows_the_order_of_dates(
    texts: list[str], order: DateOrder | None
) -> None:
    assert find_date_order(texts) == order
