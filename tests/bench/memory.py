"""The memory of a server after many uploads, renditions, imports and distinct requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.bench import servers
from tests.bench.media import make_token
from tests.bench.mixed_load import MixedLoad

REQUESTS = 70_000
SETTLED = 35.0  # seconds without requests; free memory is returned every 30 seconds


class Memory(NamedTuple):
    """The memory of a server after a part of the walk, in MiB."""

    part: str
    own: float
    children: float


def measure() -> Iterator[str]:
    """Yield the memory when idle, and after each part of the walk."""
    idle = 0.0
    for part, own, children in walk(REQUESTS):
        idle = idle or own
        yield f"{part}: {own:.0f} MiB ({own / idle:.2f} times), {children:.0f} MiB in children"


def walk(requests: int) -> Iterator[Memory]:
    """Yield the memory when idle, after each part of the walk, and when idle again.

    :param requests: the number of distinct requests; the other parts are in proportion.
    """
    with servers.folder() as folder, servers.masthead(folder / "data") as server:
        load = MixedLoad(folder / "data", server, make_token(folder / "data", "admin"))
        time.sleep(SETTLED)
        yield _look(server, "idle")
        for name, work in _parts(load, requests).items():
            work()
            yield _look(server, f"after {name}")
        time.sleep(SETTLED)
        yield _look(server, "idle again")


def _parts(load: MixedLoad, requests: int) -> dict[str, Callable[[], None]]:
    def share(number: int) -> int:
        return max(2, number * requests // REQUESTS)

    articles, contacts, images = share(1000), share(20_000), share(10)
    saved = share(300)
    return {
        f"{articles:,} articles imported": lambda: load.import_articles(articles),
        f"{contacts:,} contacts imported": lambda: load.import_contacts(contacts),
        f"{images} photographs uploaded, in five widths each": lambda: load.upload(images),
        f"{saved} articles saved twice": lambda: load.save(saved),
        f"{requests:,} distinct requests": lambda: load.read(requests),
    }


def _look(server: servers.Running, part: str) -> Memory:
    own = server.own_memory
    return Memory(part, own, server.memory - own)
