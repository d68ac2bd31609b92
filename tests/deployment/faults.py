"""Faults of each part of the cluster, and their effects on visitors."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.deployment.cluster import Cluster
from tests.deployment.visitors import Asked, Visitors

READS = ("cached", "uncached", "image")
WRITES = ("news", "contact", "upload")
MESSAGE = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) (.*)$", re.MULTILINE)
_LONGEST = 90
"""The characters of a message in the table."""
_IN_TRANSIT = 64
"""More messages than all workers have in transit at a time."""
PROMOTION = "the machine of the primary, then promotion"


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
    began: float
    ended: float
    """The time at which everything worked again."""
    during: list[Asked]
    """The requests between these times."""
    works_at: float
    """The Unix timestamp at which the part works again."""
    repair: float
    """The seconds from the beginning of the repair, such as a start, until the part works."""
    seconds: float
    """The seconds from the beginning of the repair to the last failure."""
    said: list[str]
    """The warnings and errors that servers and workers have logged, without repetitions."""

    @property
    def back(self) -> float:
        """The seconds from the time at which the part works again to the last failure."""
        return max(0.0, self.seconds - self.repair)

    def mail_back(self, times: Sequence[float]) -> float | None:
        """Return the seconds from the time at which the part works again to the next message.

        :param times: the Unix timestamps of all messages, in order.
        :returns: None if only those can have followed that were in transit: they wait for a lease.
        """
        later = times[bisect_right(times, self.works_at) :]
        return later[0] - self.works_at if len(later) > _IN_TRANSIT else None

    def statuses(self, *kinds: str) -> Counter[int]:
        """Count the answers to some kinds of requests by status; 0 is none."""
        return Counter(each.status for each in self.during if each.kind in kinds)

    def longest_gap(self, *kinds: str) -> float:
        """Return the longest time without a successful request of one kind."""
        return max(self._longest_gap(kind) for kind in kinds)

    def _longest_gap(self, kind: str) -> float:
        answered = [each.ended for each in self.during if (each.kind, each.status) == (kind, 200)]
        return max(b - a for a, b in pairwise([self.began, *answered, self.ended]))


def all_faults(cluster: Cluster) -> list[Fault]:
    """Return the faults in the order in which they can be tried."""
    app, other = cluster.apps
    primary, replica = cluster.databases
    return [
        Fault("one server", app.server.kill, app.start_server),
        Fault("both servers", in_turn(app.server.kill, other.server.kill), start_servers(cluster)),
        Fault("one worker", app.worker.kill, app.worker.start),
        Fault("the relay", cluster.relay.kill, cluster.start_relay),
        Fault("the storage", cluster.store.kill, cluster.start_store),
        Fault("the storage hangs", cluster.store.freeze, cluster.store.thaw),
        Fault("the proxy", cluster.proxy.kill, cluster.start_proxy),
        Fault("PgBouncer", primary.pgbouncer.kill, primary.start_pgbouncer),
        Fault("the replica", replica.postgres.kill, replica.start_postgres),
        Fault("the primary", primary.postgres.kill, primary.start_postgres),
        Fault(PROMOTION, in_turn(primary.postgres.kill, primary.pgbouncer.kill), replica.promote),
    ]


def in_turn(*steps: Callable[[], None]) -> Callable[[], None]:
    """Return a function that calls others."""

    def run() -> None:
        for step in steps:
            step()

    return run


def start_servers(cluster: Cluster) -> Callable[[], None]:
    """Return a function that starts both servers at once."""
    one, other = cluster.apps
    return in_turn(one.server.start, other.server.start, one.wait, other.wait)


def suffer(cluster: Cluster, visitors: Visitors, fault: Fault, seconds: float) -> Effect:
    """Let a fault last for some seconds, and return its effect on visitors."""
    logs = [program.log for app in cluster.apps for program in (app.server, app.worker)]
    sizes = [log.stat().st_size for log in logs]
    began = time.monotonic()
    fault.begin()
    time.sleep(seconds)
    repaired = time.monotonic()
    fault.end()
    repair, works_at = time.monotonic() - repaired, time.time()
    seconds = visitors.wait_until_calm(repaired)
    ended = time.monotonic()
    during = visitors.between(began, ended)
    new = [log.read_bytes()[size:].decode() for log, size in zip(logs, sizes, strict=True)]
    said = _messages("".join(new))
    return Effect(fault.name, began, ended, during, works_at, repair, seconds, said)


def _messages(log: str) -> list[str]:
    """Return the messages of a log that differ by more than numbers."""
    found = {re.sub(r"\d+", "0", message): message for message in MESSAGE.findall(log)}
    return list(found.values())


def table(effects: list[Effect], mail_times: Sequence[float]) -> list[str]:
    """Return a table of the effects in Markdown."""
    heads = ["Fault", "Cached list", "Other lists", "Images", "Writes", "Uploads"]
    heads += [
        "Longest gap of reads, writes",
        "Part started in",
        "All back after",
        "Mail goes on after",
        "Said",
    ]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for effect in effects:
        kinds = (("cached",), ("uncached",), ("image",), ("news", "contact"), ("upload",))
        answers = " | ".join(_counted(effect.statuses(*each)) for each in kinds)
        gaps = ", ".join(f"{effect.longest_gap(*each):.1f} s" for each in (READS, WRITES))
        mail = effect.mail_back(mail_times)
        times = f"{effect.repair:.1f} s | {effect.seconds:.1f} s"
        times += " | none waits" if mail is None else f" | {mail:.1f} s"
        said = "; ".join(message[:_LONGEST] for message in effect.said) or "nothing"
        lines.append(f"| {effect.fault} | {answers} | {gaps} | {times} | {said} |")
    return lines


def _counted(statuses: Counter[int]) -> str:
    return ", ".join(f"{n} × {status or 'none'}" for status, n in sorted(statuses.items()))
