"""The speed of a feed of 50 articles and a sitemap of 50,000 addresses, warm and cold."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from masthead.db import migrate
from masthead.instance import open_instance
from masthead_news.models import Article
from tests.bench import servers

ARTICLES = 49_900
LONG = 50
"""The number of articles, the newest ones, with the length of usual articles."""
BATCH = 5_000
FEED, SITEMAP = "/api/feed/news", "/sitemap.xml"
CONNECTIONS = 4
SECONDS = 3.0
ROUNDS = 5
THREADS = 8


def measure() -> Iterator[str]:
    """Yield the cost of the first sitemap, and the speed of both compared with a bare view."""
    with servers.folder() as data:
        _fill(data / "data")
        with servers.masthead(data / "data") as server:
            before = servers.peak(server.pid)
            began = time.perf_counter()
            size = len(_read(server, SITEMAP))
            took = time.perf_counter() - began
            memory = servers.peak(server.pid) - before
            yield (
                f"first sitemap: {size:,} bytes after {took * 1000:,.0f} ms,"
                f" {memory:.0f} MiB of memory more"
            )
            for path in (FEED, SITEMAP):
                body = data / "body"
                body.write_bytes(_read(server, path))
                with servers.bare(data / "bare", body, THREADS) as bare:
                    yield _compare(path, body.stat().st_size, server, bare)


def _compare(path: str, size: int, server: servers.Running, bare: servers.Running) -> str:
    rounds = [(_load(bare, "/api/news"), _load(server, path)) for _ in range(ROUNDS)]
    rates = [statistics.median(each[i][0] for each in rounds) for i in (0, 1)]
    ratio, cost = (statistics.median(ours[i] / bare[i] for bare, ours in rounds) for i in (0, 1))
    return (
        f"{path}: {size:,} bytes, {rates[1]:,.0f} requests/s, the bare view {rates[0]:,.0f}"
        f" ({ratio:.2f} of it), at {cost:.2f} times its processor time"
    )


def _load(server: servers.Running, path: str) -> tuple[float, float]:
    """Return requests per second of a separate client, and processor seconds per request."""
    load = [sys.executable, str(Path(__file__).with_name("load.py"))]
    asked = [server.address + path, str(SECONDS), str(CONNECTIONS)]
    before = server.cpu
    done = subprocess.run([*load, *asked], check=True, capture_output=True, text=True)
    rate = float(done.stdout)
    return rate, (server.cpu - before) / (rate * SECONDS)


def _read(server: servers.Running, path: str) -> bytes:
    with urllib.request.urlopen(server.address + path) as answer:
        body: bytes = answer.read()
    return body


def _fill(data: Path) -> None:
    """Make an instance with published articles."""
    instance = open_instance({"masthead.data": str(data)}, {})
    migrate.upgrade(instance.database, instance.plugins)
    for start in range(0, ARTICLES, BATCH):
        articles = [_article(n) for n in range(start, min(start + BATCH, ARTICLES))]
        with instance.database.transaction() as session:
            session.execute(insert(Article), articles)
    instance.close()


def _article(number: int) -> dict[str, Any]:
    published = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=number)
    paragraphs = 200 if number >= ARTICLES - LONG else 5
    return {
        "title": f"Article number {number} of many",
        "slug": f"article-number-{number}-of-many",
        "description": "What happened, told in a sentence or two. " * 6,
        "content": '<p>And at <a href="/length">length</a>.</p>' * paragraphs,
        "category": f"Category {number % 7}",
        "published_at": published,
        "position": published,
        "published": True,
        "approval_status": "approved",
        "first_published_at": published,
    }
