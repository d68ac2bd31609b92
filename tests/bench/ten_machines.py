"""A simulation of ten machines with two cores each, from the cost of reads measured here.

Each core serves one request at a time, and a proxy gives each request to the least busy machine.
The costs vary exponentially around the measured mean, more than they do really. They contain the
statements, which SQLite runs in the process. The network, the proxy and PostgreSQL as a limit of
its own are not simulated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from tests.bench import reading, servers
from tests.bench.queueing import arrivals, simulate

ROUNDS = 3
CORES = 2
SECONDS = 30.0
PEAK = 5_800
"""Requests per second: five times the average of 100 million a day."""


class Scene(NamedTuple):
    """A load of all machines together."""

    name: str
    rate: float
    cached: float
    """The share of requests that Masthead answers from its cache."""
    machines: int = 10


SCENES = (
    Scene("a CDN answers 95 %, Masthead caches none of the rest", PEAK * 0.05, 0),
    Scene("no CDN, Masthead caches 90 %", PEAK, 0.9),
    *(Scene("no CDN, Masthead caches none", PEAK, 0, machines) for machines in (10, 9, 7, 6)),
)


class Costs(NamedTuple):
    """The mean seconds of a core of a list of 50 articles."""

    cached: float
    uncached: float


def measure() -> Iterator[str]:
    """Yield the measured costs, and the use and the times of answers for each load."""
    costs = measure_costs()
    for name, seconds in costs._asdict().items():
        yield f"a read that is {name}: {seconds * 1000:.2f} ms of a core"
    for scene in SCENES:
        yield describe(scene, costs)


def measure_costs() -> Costs:
    """Measure reads of servers without a worker."""
    with servers.folder() as folder:
        data = folder / "data"
        reading.fill(data, folder / "articles.jsonl")
        kinds = ({}, {"cache__size": "0"})
        means = []
        for settings in kinds:
            with servers.masthead(data, worker__inside="false", **settings) as server:
                reading.fetch(server)
                means.append(median(reading.ask(server, reading.QUERY)[1] for _ in range(ROUNDS)))
    return Costs(*means)


def describe(scene: Scene, costs: Costs) -> str:
    """Return the results of a simulated load."""
    chance = random.Random(1)
    spent: list[float] = []

    def service(chance: random.Random) -> float:
        mean = costs.cached if chance.random() < scene.cached else costs.uncached
        spent.append(chance.expovariate(1 / mean))
        return spent[-1]

    times = arrivals(scene.rate, SECONDS, chance)
    took = sorted(simulate(times, service, scene.machines, CORES, chance))
    use = sum(spent) / (scene.machines * CORES * SECONDS)
    half, late = (took[int(len(took) * share)] * 1000 for share in (0.5, 0.99))
    return (
        f"{scene.name}: {scene.rate:,.0f} requests/s use {use:.0%} of {scene.machines} machines;"
        f" median {half:.1f} ms, p99 {late:.1f} ms, longest {took[-1] * 1000:,.0f} ms"
    )
