"""The cost of metrics: a cached list of 50 articles with and without them, in one run."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from tests.bench import servers
from tests.bench.reading import QUERY, ask, fill

ROUNDS = 9
ON = {"metrics__listen": "127.0.0.1:0"}


def measure() -> Iterator[str]:
    """Yield the processor time per request with metrics, compared with the same without them."""
    with servers.folder() as data:
        instance = data / "data"
        fill(instance, data / "articles.jsonl")
        two = {"server__processes": "2"}
        with (
            servers.masthead(instance) as one_off,
            servers.masthead(instance, **ON) as one_on,
            servers.masthead(instance, **two) as two_off,
            servers.masthead(instance, **two, **ON) as two_on,
        ):
            pairs = {"one process": (one_off, one_on), "two processes": (two_off, two_on)}
            for name, (off, on) in pairs.items():
                # In turns, because the load of the machine changes.
                rounds = [(ask(off, QUERY)[1], ask(on, QUERY)[1]) for _ in range(ROUNDS)]
                without, cost = (statistics.median(each) for each in zip(*rounds, strict=True))
                ratio = statistics.median(on / off for off, on in rounds)
                yield (
                    f"{name}: {without * 1e6:.0f} µs of a core per request without metrics,"
                    f" {cost * 1e6:.0f} µs with them ({ratio:.3f} times)"
                )
