"""Faults of each part of the cluster, and their effects on visitors."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from tests.deployment.cluster import Cluster
from tests.deployment.visitors import Asked, Visitors

READS = ("cached", "uncached", "image")
WRITES = ("news", "contact", "upload")


@dataclass(frozen=True)
class Fault:
    """A fault of one part."""

    name: str
    begin: Callable[[], None]
    end: Callable[[], None]
    """Repairs the part, and returns when it works again."""


@dataclass(frozen=True)
class Effect:
    """The effect of a fault on visitors."""

    fault: str
    during: list[Asked]
    """The requests from the beginning of the fault until everything worked again."""
    seconds: float
    """The time from the repair to the last request that failed."""

    def statuses(self, *kinds: str) -> Counter[int]:
        """Count the answers to some kinds of requests by status; 0 is none."""
        return Counter(each.status for each in self.during if each.kind in kinds)

    def longest_gap(self, *kinds: str) -> float:
        """Return the longest time between two successful requests of one kind."""
        return max(self._longest_gap(kind) for kind in kinds)

    def _longest_gap(self, kind: str) -> float:
        ended = [each.ended for each in self.during if (each.kind, each.status) == (kind, 200)]
        return max((b - a for a, b in pairwise(ended)), default=float("inf"))


def all_faults(cluster: Cluster) -> list[Fault]:
    """Return the faults in the order in which they can be tried."""
    app, other = cluster.apps
    primary, replica = cluster.databases
    servers = [app.server, other.server]
    return [
        Fault("one server", app.server.kill, app.start_server),
        Fault(
            "both servers",
            lambda: [server.kill() for server in servers] and None,
            lambda: [each.start_server() for each in cluster.apps] and None,
        ),
        Fault("one worker", app.worker.kill, app.worker.start),
        Fault("the relay", cluster.relay.kill, cluster.start_relay),
        Fault("the storage", cluster.store.kill, cluster.start_store),
        Fault("the storage hangs", cluster.store.freeze, cluster.store.thaw),
        Fault("the proxy", cluster.proxy.kill, cluster.start_proxy),
        Fault("PgBouncer", primary.pgbouncer.kill, primary.start_pgbouncer),
        Fault("the replica", replica.postgres.kill, replica.start_postgres),
        Fault("the primary, then promotion", primary.postgres.kill, replica.promote),
    ]


def suffer(visitors: Visitors, fault: Fault, seconds: float) -> Effect:
    """Let a fault last for some seconds, and return its effect on visitors."""
    began = time.monotonic()
    fault.begin()
    time.sleep(seconds)
    fault.end()
    repaired = time.monotonic()
    took = visitors.wait_until_calm(repaired)
    return Effect(fault.name, visitors.between(began, time.monotonic()), took)


def table(effects: list[Effect]) -> list[str]:
    """Return a table of the effects in Markdown."""
    heads = ["Fault", "Cached list", "Other lists", "Images", "Writes", "Uploads"]
    heads += ["Longest gap of reads, writes", "Back after"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for effect in effects:
        kinds = (("cached",), ("uncached",), ("image",), ("news", "contact"), ("upload",))
        answers = " | ".join(_counted(effect.statuses(*each)) for each in kinds)
        gaps = ", ".join(f"{effect.longest_gap(*each):.1f} s" for each in (READS, WRITES))
        lines.append(f"| {effect.fault} | {answers} | {gaps} | {effect.seconds:.1f} s |")
    return lines


def _counted(statuses: Counter[int]) -> str:
    return ", ".join(f"{n} × {status or 'none'}" for status, n in sorted(statuses.items()))
