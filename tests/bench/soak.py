"""The memory of a server under a mixed load for some time, which has to stay flat."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

from tests.bench import servers
from tests.bench.media import make_token
from tests.bench.mixed_load import MixedLoad

PARTS = 6


def measure(seconds: str = "90") -> Iterator[str]:
    """Yield the memory in each part of the time, and the growth after the second part."""
    parts = []
    for own in soak(float(seconds)):
        parts.append(own)
        yield f"part {len(parts)} of {PARTS}: {own:.0f} MiB"
    yield f"the last part takes {parts[-1] / parts[1]:.3f} times the memory of the second"


def soak(seconds: float) -> Iterator[float]:
    """Yield the median of the memory in each part of the time, in MiB."""
    with servers.folder() as folder, servers.masthead(folder / "data") as server:
        load = MixedLoad(folder / "data", server, make_token(folder / "data", "admin"))
        load.import_articles(500)
        load.import_contacts(5000)
        for _ in range(PARTS):
            yield _run(load, server, seconds / PARTS)


def _run(load: MixedLoad, server: servers.Running, seconds: float) -> float:
    """Load the server for some time; return the median of its memory in MiB."""
    seen: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        load.read(300)
        load.save(3)
        load.upload(1)
        load.import_contacts(100)
        seen.append(server.own_memory)
    return median(seen)
