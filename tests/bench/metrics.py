"""The cost of metrics: the same processes answer a cached list with and without them."""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import servers
from tests.bench.reading import QUERY, ask, fill

STARTS = 3
ROUNDS = 6
ON, OFF = signal.SIGUSR1, signal.SIGUSR2
PROCESSES = {"one process": 1, "two processes": 2}


def measure() -> Iterator[str]:
    """Yield the processor time per request with metrics, compared with the same without them.

    Each server turns its metrics on and off, because two servers of one program differ by more than
    metrics cost.
    """
    with servers.folder() as data:
        instance = data / "data"
        fill(instance, data / "articles.jsonl")
        for name, processes in PROCESSES.items():
            rounds = [pair for _ in range(STARTS) for pair in _pairs(instance, processes)]
            without, cost = (statistics.median(each) for each in zip(*rounds, strict=True))
            low, ratio, high = statistics.quantiles([on / off for off, on in rounds], n=4)
            yield (
                f"{name}: {without * 1e6:.1f} µs of a core per request without metrics,"
                f" {cost * 1e6:.1f} µs with them ({ratio:.3f} times; half of the pairs between"
                f" {low:.3f} and {high:.3f})"
            )


def _pairs(instance: Path, processes: int) -> Iterator[tuple[float, float]]:
    """Start a server, and yield its times per request without metrics and with them."""
    settings = {"server__processes": str(processes), "metrics__listen": "127.0.0.1:0"}
    with servers.switched(instance, **settings) as server:
        ask(server, QUERY)
        for number in range(ROUNDS):
            # In turns, because the load of the machine changes.
            order = (OFF, ON) if number % 2 else (ON, OFF)
            costs = {each: _cost(server, each) for each in order}
            yield costs[OFF], costs[ON]


def _cost(server: servers.Running, switch: signal.Signals) -> float:
    server.send(switch)
    time.sleep(0.2)
    return ask(server, QUERY)[1]
