"""How fast 50 of 10,000 articles are read, beside a bare view that returns the same bytes."""

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


def measure() -> Iterator[str]:
    """Tell requests per second with and without the cache, and their ratios to the bare view."""
    with servers.folder() as data:
        instance, body = data / "data", data / "body.json"
        _fill(instance, data / "articles.jsonl")
        with (
            servers.masthead(instance) as cached,
            servers.masthead(instance, cache__size="0") as no,
        ):
            with urllib.request.urlopen(cached.address + QUERY) as answer:
                body.write_bytes(answer.read())
            with servers.bare(data / "bare", body, THREADS) as bare:
                named = {"bare view": bare, "Masthead": cached, "Masthead without cache": no}
                rounds = [{n: _rate(s.address) for n, s in named.items()} for _ in range(ROUNDS)]
        size = body.stat().st_size
    yield f"{size:,} bytes, {CONNECTIONS} connections, medians of {ROUNDS} × {SECONDS:.0f} s"
    for name in named:
        rates = statistics.median(each[name] for each in rounds)
        ratio = statistics.median(each[name] / each["bare view"] for each in rounds)
        yield f"{name}: {rates:,.0f} requests/s, {ratio:.2f} of the bare view"


def _rate(address: str) -> float:
    """By a process of its own."""
    load = [sys.executable, str(Path(__file__).with_name("load.py"))]
    asked = [address + QUERY, str(SECONDS), str(CONNECTIONS)]
    done = subprocess.run([*load, *asked], check=True, capture_output=True, text=True)
    return float(done.stdout)


def _fill(instance: Path, lines: Path) -> None:
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
        pass  # it makes the tables and the administrator
    servers.run(instance, "import", "--publish", "--as", "admin", "news", str(lines))
