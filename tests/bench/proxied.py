"""Public reads through a proxy, PgBouncer and two processes, and from one process on SQLite."""

from __future__ import annotations

import json
import os
import random
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.bench import servers
from tests.deployment.cluster import AppMachine, missing_programs, running_cluster
from tests.deployment.nginx import running_nginx
from tests.deployment.programs import descendants, find

ARTICLES = 1_000
CONNECTIONS = 2
SECONDS = 5.0
ROUNDS = 6
NAMES = (
    "one process, SQLite",
    "HAProxy, PgBouncer, two processes",
    "nginx with TLS, PgBouncer, two processes",
)
_SHARE_OF_NEW = 0.2
"""The share of requests for addresses that no answer is stored for."""


class Result(NamedTuple):
    """The results of one round."""

    median: float
    p99: float
    cpu: float
    """Processor seconds per request of all programs but the client."""


def measure() -> Iterator[str]:
    """Yield latencies and processor time per request of both, and the ratios."""
    if missing := [*missing_programs(), *([] if find("nginx") else ["nginx"])]:
        yield f"needs {', '.join(missing)}"
        return
    with servers.folder() as data, running_cluster() as cluster:
        lines = data / "articles.jsonl"
        lines.write_text("".join(json.dumps(_article(n)) + "\n" for n in range(ARTICLES)))
        one, other = cluster.apps
        _import(other, lines)
        # One machine with two processes remains, which nobody monitors.
        one.server.stop()
        one.worker.stop()
        cluster.monitor.stop()
        programs = (other.server, cluster.primary.pgbouncer)
        behind = [program.pid for program in (*programs, cluster.primary.postgres)]
        with servers.masthead(data / "data"):
            pass  # creates the tables and the administrator
        servers.run(data / "data", "import", "--publish", "--as", "admin", "news", str(lines))
        with (
            servers.masthead(data / "data") as alone,
            running_nginx(data / "nginx", f"{other.address}:6543") as nginx,
        ):
            front = f"https://127.0.0.1:{nginx.port}"
            rounds = [
                (
                    _ask(alone.address, [alone.pid]),
                    _ask(cluster.url, [cluster.proxy.pid, *behind]),
                    _ask(front, [nginx.pid, *behind], nginx.certificate),
                )
                for _ in range(ROUNDS)
            ]
    yield f"{CONNECTIONS} connections, medians of {ROUNDS} rounds of {SECONDS:.0f} s"
    for number, name in enumerate(NAMES):
        middle, late, cpu = (median(each[number][i] for each in rounds) * 1000 for i in range(3))
        yield f"{name}: median {middle:.1f} ms, p99 {late:.1f} ms, {cpu:.2f} ms of a core each"
        ratios = [median(each[number][i] / each[0][i] for each in rounds) for i in range(3)]
        if number:
            yield "  times the first: median {:.2f}, p99 {:.2f}, a core {:.2f}".format(*ratios)


def _import(machine: AppMachine, lines: Path) -> None:
    machine.run("import", "--publish", "--as", "ada", "news", str(lines))


def _article(number: int) -> dict[str, object]:
    return {
        "title": f"Article number {number}",
        "description": "A sentence or two about the event. " * 6,
        "content": "<p>And at length.</p>" * 20,
        "publishedAt": f"2026-01-{number % 28 + 1:02}T10:00:00Z",
        "tags": [f"Tag {number % 10}"],
    }


def _ask(address: str, programs: list[int], certificate: Path | None = None) -> Result:
    """Let a separate client read for some seconds."""
    before = _ticks(programs)
    arguments = [
        address,
        str(random.randrange(10**9)),
        *([str(certificate)] if certificate else []),
    ]
    command = [sys.executable, "-m", "tests.bench.proxied", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = json.loads(done.stdout)
    cpu = (_ticks(programs) - before) / os.sysconf("SC_CLK_TCK")
    return Result(median(seconds), sorted(seconds)[int(len(seconds) * 0.99)], cpu / len(seconds))


def _ticks(programs: list[int]) -> int:
    pids = {each for pid in programs for each in (pid, *descendants(pid))}
    return sum(servers._ticks(pid) for pid in pids if Path(f"/proc/{pid}").exists())


def _read(address: str, seed: str, certificate: str | None = None) -> list[float]:
    """Read for some seconds, and return the duration of each request."""
    took: list[float] = []
    place = urlsplit(address).netloc
    threads = [
        threading.Thread(
            target=_run, args=(_connect(place, certificate), random.Random(f"{seed} {n}"), took)
        )
        for n in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _connect(place: str, certificate: str | None) -> HTTPConnection:
    if certificate is None:
        return HTTPConnection(place, timeout=30)
    tls = ssl.create_default_context(cafile=certificate)
    return HTTPSConnection(place, timeout=30, context=tls)


def _run(connection: HTTPConnection, chance: random.Random, took: list[float]) -> None:
    connection.connect()
    end = time.perf_counter() + SECONDS
    while (began := time.perf_counter()) < end:
        connection.request("GET", _path(chance))
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        took.append(time.perf_counter() - began)
    connection.close()


def _path(chance: random.Random) -> str:
    if chance.random() < _SHARE_OF_NEW:
        return f"/api/news?limit=20&nothing={chance.random()}"
    number = chance.randrange(5)
    known = (f"/api/news?limit=20&offset={number * 20}", f"/api/news/article-number-{number}")
    return chance.choice(known)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_read(*sys.argv[1:])))
