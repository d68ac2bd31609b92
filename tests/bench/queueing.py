"""A simulation of machines behind a proxy that gives each request to the least busy one."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Service = Callable[[random.Random], float]
"""Returns the seconds of a core that a request takes."""


@dataclass
class _Machine:
    """A queue in front of some cores, each of which serves one request at a time."""

    free: list[float]
    """The times at which the cores have finished all that they were given."""
    leaving: list[float] = field(default_factory=list)
    """The times at which the requests in the machine will have their answers."""

    def present(self, now: float) -> int:
        """Return the number of requests in the machine."""
        while self.leaving and self.leaving[0] <= now:
            heapq.heappop(self.leaving)
        return len(self.leaving)

    def take(self, now: float, service: float) -> float:
        """Serve a request, and return the time of its answer."""
        end = max(now, self.free[0]) + service
        heapq.heapreplace(self.free, end)
        heapq.heappush(self.leaving, end)
        return end


def arrivals(rate: float, seconds: float, chance: random.Random) -> Iterator[float]:
    """Yield the times of requests that don't depend on each other."""
    now = chance.expovariate(rate)
    while now < seconds:
        yield now
        now += chance.expovariate(rate)


def simulate(
    times: Iterator[float], service: Service, machines: int, cores: int, chance: random.Random
) -> list[float]:
    """Return the seconds from request to answer of each request, as HAProxy's leastconn does it."""
    running = [_Machine([0.0] * cores) for _ in range(machines)]
    took = []
    for now in times:
        # Among equally busy machines, each has the same chance.
        chosen = min(running, key=lambda machine: (machine.present(now), chance.random()))
        took.append(chosen.take(now, service(chance)) - now)
    return took
