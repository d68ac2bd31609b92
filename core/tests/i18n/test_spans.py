"""Spans of time as people write them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from masthead import text_direction, written_span

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "end", "language", "written"),
    [
        ("2027-05-02", "2027-05-04", "en-GB", "2 – 4 May 2027"),
        ("2027-05-02", "2027-05-04", "ja", "2027年5月2日～4日"),
        ("2027-05-02", None, "de", "2. Mai 2027"),
        ("2027-05-02", "2027-05-02", "xx", "May 2, 2027"),
        ("2027-05-02T18:30", None, "en-GB", "2 May 2027, 20:30 CEST"),
        ("2027-05-02T18:30", "2027-05-02T20:00", "en-GB", "2 May 2027, 20:30 – 22:00 CEST"),
        ("2027-05-02", "2027-05-02T10:00", "fr", "2 mai 2027, 02:00 – 12:00 UTC+02:00"),
        (
            "2027-01-02T23:30",
            "2027-01-04T01:00",
            "de",
            "3. Januar 2027, 00:30 – 4. Januar 2027, 02:00 MEZ",
        ),
    ],
)
def test_a_span_is_written_in_the_language_and_the_zone(
    start: str, end: str | None, language: str, written: str
) -> None:
    last = at(end) if end else None

    span = written_span(at(start), last, zone=BERLIN, language=language, whole_days=True)

    assert span == written


def test_midnights_are_times_unless_they_mean_whole_days() -> None:
    span = written_span(at("2027-05-02"), None, zone=ZoneInfo("UTC"), language="en-GB")

    assert span == "2 May 2027, 00:00 UTC"


def test_the_last_moment_of_all_years_is_written() -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

    assert "9999" in written_span(last, None, zone=ZoneInfo("Asia/Tokyo"), language="en")


@pytest.mark.parametrize(
    ("tag", "direction"),
    [
        *(("ar", "rtl"), ("he", "rtl"), ("fa-IR", "rtl"), ("ur", "rtl"), ("az-Arab", "rtl")),
        *(("pa-PK", "rtl"), ("pa", "ltr"), ("ar-Latn", "ltr"), ("de", "ltr"), ("xx", "ltr")),
    ],
)
def test_the_script_of_a_language_has_a_direction(tag: str, direction: str) -> None:
    assert text_direction(tag) == direction
