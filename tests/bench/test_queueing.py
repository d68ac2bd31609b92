"""The simulation of queues agrees with the formulas that are known for simple ones."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from tests.bench.queueing import arrivals, simulate

MEAN = 0.01
"""The mean time of a core; single times vary exponentially."""
REQUESTS = 40_000


def response(machines: int, cores: int, use: float) -> float:
    """Return the mean time from request to answer, in means of a core's time."""
    chance = random.Random(5)
    rate = use * machines * cores / MEAN
    times = arrivals(rate, REQUESTS / rate, chance)
    took = simulate(times, lambda each: each.expovariate(1 / MEAN), machines, cores, chance)
    return mean(took) / MEAN


@pytest.mark.parametrize("use", [0.3, 0.5, 0.7])
def test_one_core(use: float) -> None:
    assert response(1, 1, use) == pytest.approx(1 / (1 - use), rel=0.08)


@pytest.mark.parametrize("use", [0.3, 0.7])
def test_two_cores_with_one_queue(use: float) -> None:
    assert response(1, 2, use) == pytest.approx(1 / (1 - use**2), rel=0.08)


def test_more_machines_wait_less_at_the_same_use() -> None:
    one, two, ten = (response(machines, 1, 0.7) for machines in (1, 2, 10))

    # A proxy that sees who is idle comes close to one queue for all.
    assert 1 / (1 - 0.7**2) < two < one
    assert 1 < ten < two
