"""The time of ``masthead serve`` until its first answer, and its memory afterwards."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import servers

ROUNDS = 5
SETTLED = 1.0  # seconds without requests


def measure() -> Iterator[str]:
    """Yield the medians for an empty folder and for a folder of a former start."""
    with servers.folder() as data:
        first = [_start(data / str(number)) for number in range(ROUNDS)]
        again = [_start(data / str(number)) for number in range(ROUNDS)]
    for what, found in (("in an empty folder", first), ("once prepared", again)):
        seconds, cpu, memory = (statistics.median(each) for each in zip(*found, strict=True))
        yield (
            f"{what}: first answer after {seconds:.2f} s ({cpu:.2f} s of a core),"
            f" idle at {memory:.0f} MiB"
        )


def _start(data: Path) -> tuple[float, float, float]:
    with servers.masthead(data) as server:
        cpu = server.cpu
        time.sleep(SETTLED)
        return server.seconds, cpu, server.memory
