"""The memory of a server after many uploads, renditions, imports and distinct requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tests.bench import servers
from tests.bench.media import make_token
from tests.bench.mixed_load import MixedLoad

REQUESTS = 70_000
SETTLED = 35.0  # seconds without requests; free memory is returned every 30 seconds


def measure() -> Iterator[str]:
    """Yield the memory when idle, and after each part of the walk."""
    with servers.folder() as folder, servers.masthead(folder / "data") as server:
        load = MixedLoad(folder / "data", server, make_token(folder / "data", "admin"))
        time.sleep(SETTLED)
        idle = server.own_memory
        yield f"idle: {_show(server, idle)}"
        for name, walk in _parts(load).items():
            walk()
            yield f"after {name}: {_show(server, idle)}"
        time.sleep(SETTLED)
        yield f"idle again: {_show(server, idle)}"


def _parts(load: MixedLoad) -> dict[str, Callable[[], None]]:
    return {
        "1,000 articles imported": lambda: load.import_articles(1000),
        "20,000 contacts imported": lambda: load.import_contacts(20_000),
        "10 photographs uploaded, in five widths each": lambda: load.upload(10),
        "300 articles saved twice": lambda: load.save(300),
        f"{REQUESTS:,} distinct requests": lambda: load.read(REQUESTS),
    }


def _show(server: servers.Running, idle: float) -> str:
    own = server.own_memory
    return f"{own:.0f} MiB ({own / idle:.2f} times), {server.memory - own:.0f} MiB in children"
