"""The cost of metrics: a cached list of 50 articles with and without them, in one run."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from tests.bench import servers
from tests.bench.reading import QUERY, ask, fill

STARTS = 5
"""How often both servers start, because two processes of one program differ by some percent."""
ROUNDS = 2
ON = {"metrics__listen": "127.0.0.1:0"}
PROCESSES = {"one process": 1, "two processes": 2}


def measure() -> Iterator[str]:
    """Yield the processor time per request with metrics, compared with the same without them."""
    with servers.folder() as data:
        instance = data / "data"
        fill(instance, data / "articles.jsonl")
        for name, processes in PROCESSES.items():
            rounds = [pair for _ in range(STARTS) for pair in _pairs(instance, processes)]
            without, cost = (statistics.median(each) for each in zip(*rounds, strict=True))
            ratio = statistics.median(on / off for off, on in rounds)
            yield (
                f"{name}: {without * 1e6:.0f} µs of a core per request without metrics,"
                f" {cost * 1e6:.0f} µs with them ({ratio:.3f} times)"
            )


def _pairs(instance: Path, processes: int) -> Iterator[tuple[float, float]]:
    """Start a server without metrics and one with them, and yield their times per request."""
    own = {"server__processes": str(processes)}
    with servers.masthead(instance, **own) as off, servers.masthead(instance, **own, **ON) as on:
        # In turns, because the load of the machine changes.
        for _ in range(ROUNDS):
            yield ask(off, QUERY)[1], ask(on, QUERY)[1]
