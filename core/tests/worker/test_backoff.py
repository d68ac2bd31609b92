"""The delays before work that has failed is tried again."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from masthead import Backoff

NOW = datetime.fromisoformat("2026-03-01T09:30:00Z")
DAY = 86_400
RETRY = Backoff(first=timedelta(seconds=40), longest=timedelta(days=1))


def test_delays_double_up_to_the_longest_and_vary_by_a_fifth() -> None:
    for failures, seconds in ((1, 40), (2, 80), (5, 640), (30, DAY), (1_000_000, DAY)):
        for _ in range(20):
            delay = RETRY.delay(failures).total_seconds()
            assert min(0.8 * seconds, DAY) <= delay <= min(1.2 * seconds, DAY)
    exact = Backoff(first=timedelta(seconds=10), longest=timedelta(hours=1), jitter=0)
    assert [exact.delay(n).total_seconds() for n in (1, 2, 3, 9, 10)] == [10, 20, 40, 2560, 3600]


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("7200", 7_200),
        ("Sun, 01 Mar 2026 11:30:00 GMT", 7_200),
        ("9" * 30, DAY),
        ("Fri, 01 Mar 2199 11:30:00 GMT", DAY),
    ],
)
def test_a_server_may_ask_for_a_longer_delay(asked: str, seconds: int) -> None:
    assert RETRY.delay_asked(1, asked, NOW) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "asked", [None, "", "soon", "-5", "Sun, 01 Mar 2020 11:30:00 GMT", "²", "x" * 100_000]
)
def test_any_other_text_changes_no_delay(asked: str | None) -> None:
    assert timedelta(seconds=32) <= RETRY.delay_asked(1, asked, NOW) <= timedelta(seconds=48)
