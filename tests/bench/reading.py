"""The speed of a list of 50 of 10,000 articles, compared with a view of the same bytes."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.bench import servers

ARTICLES = 10_000
QUERY = "/api/news?limit=50"
CONNECTIONS = 4
SECONDS = 3.0
ROUNDS = 5
THREADS = 8
CODINGS = ("br", "zstd", "gzip")


def measure() -> Iterator[str]:
    """Yield requests per second with and without the cache, and their ratios to the bare view.

    The processor time per request is more reliable if other programs run meanwhile.
    """
    with servers.folder() as data:
        instance, body = data / "data", data / "body.json"
        fill(instance, data / "articles.jsonl")
        with (
            servers.masthead(instance) as cached,
            servers.masthead(instance, cache__size="0") as uncached,
            servers.masthead(instance, server__processes="2") as two,
            servers.granian(instance, THREADS) as granian,
        ):
            sizes = {coding: len(fetch(cached, coding)) for coding in CODINGS}
            body.write_bytes(fetch(cached))
            with servers.bare(data / "bare", body, THREADS) as bare:
                named = {
                    "bare view": (bare, "identity"),
                    "Masthead": (cached, "identity"),
                    **{f"Masthead, {coding}": (cached, coding) for coding in CODINGS},
                    "Masthead without cache": (uncached, "identity"),
                    "Masthead, two processes": (two, "identity"),
                    "Masthead by granian": (granian, "identity"),
                }
                rounds = [
                    {name: ask(server, QUERY, coding) for name, (server, coding) in named.items()}
                    for _ in range(ROUNDS)
                ]
        size = body.stat().st_size
    forms = ", ".join(f"{length:,} as {coding}" for coding, length in sizes.items())
    yield f"{size:,} bytes ({forms})"
    yield f"{CONNECTIONS} connections, medians of {ROUNDS} × {SECONDS:.0f} s"
    for name in named:
        rate, cost = (statistics.median(each[name][i] for each in rounds) for i in (0, 1))
        ratios = [
            statistics.median(each[name][i] / each["bare view"][i] for each in rounds)
            for i in (0, 1)
        ]
        yield (
            f"{name}: {rate:,.0f} requests/s ({ratios[0]:.2f} of the bare view),"
            f" {cost * 1000:.2f} ms of a core each ({ratios[1]:.2f} times the bare view)"
        )


def fetch(server: servers.Running, coding: str = "identity") -> bytes:
    """Return the list as it is sent in a content coding."""
    request = urllib.request.Request(server.address + QUERY, headers={"Accept-Encoding": coding})
    with urllib.request.urlopen(request) as answer:
        body: bytes = answer.read()
        return body


def ask(server: servers.Running, query: str, coding: str = "identity") -> tuple[float, float]:
    """Return requests per second of a separate client, and processor seconds per request.

    :param coding: the content coding that the client asks for.
    """
    load = [sys.executable, str(Path(__file__).with_name("load.py"))]
    asked = [server.address + query, str(SECONDS), str(CONNECTIONS), coding]
    before = server.cpu
    done = subprocess.run([*load, *asked], check=True, capture_output=True, text=True)
    rate = float(done.stdout)
    return rate, (server.cpu - before) / (rate * SECONDS)


def fill(instance: Path, lines: Path) -> None:
    """Make an instance with published articles, each with tags."""
    with lines.open("w") as file:
        for number in range(ARTICLES):
            article = {
                "title": f"Article number {number} of many",
                "description": "What happened, told in a sentence or two. " * 6,
                "content": "<p>And at length.</p>" * 20,
                "category": f"Category {number % 7}",
                "imageUrl": f"/api/images/images/{number}.jpg",
                "publishedAt": f"2026-01-{number % 28 + 1:02}T{number % 24:02}:00:00Z",
                "tags": [f"Tag {number % 10}", f"Tag {number % 13}"],
            }
            file.write(json.dumps(article) + "\n")
    with servers.masthead(instance):
        pass  # creates the tables and the administrator
    servers.run(instance, "import", "--publish", "--as", "admin", "news", str(lines))
