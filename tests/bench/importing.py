"""The cost of an article that ``masthead import`` stores, as a draft and as a published one.

A script that uses only libraries is the measure: it parses each line, sanitises the HTML with nh3,
and inserts the articles and their words by ``executemany``.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import nh3

from masthead.html.plain import plain_text
from masthead.testing.postgres import create_database, running_postgres
from tests.bench import servers

ARTICLES = 3_000
FEW = Path(__file__).resolve().parents[2] / "core" / "tests" / "search" / "articles.jsonl"
_ADDRESS = re.compile(r"((?:href|src)=\"[^\"]+)\"")


class Cost(NamedTuple):
    """The seconds of a process."""

    cpu: float
    wall: float


def measure() -> Iterator[str]:
    """Yield the processor time and the time of an article, and its ratio to the script.

    ``MASTHEAD_TEST_ARTICLES`` can name a file of articles (JSON lines), and
    ``MASTHEAD_TEST_DATABASE`` can select one database.
    """
    only = os.environ.get("MASTHEAD_TEST_DATABASE")
    with ExitStack() as stack:
        folder = stack.enter_context(servers.folder())
        file, empty = folder / "articles.jsonl", folder / "empty.jsonl"
        size = _write(file)
        empty.touch()
        plain = _by_hand(file, folder / "plain.db")
        yield f"{ARTICLES:,} articles of {size:,.0f} bytes of HTML; by hand {_told(plain)}"
        server = "" if only == "sqlite" else stack.enter_context(running_postgres())
        for dialect in [only] if only else ["sqlite", "postgresql"]:
            for name, options in (("drafts", []), ("published", ["--publish"])):
                data = folder / f"{dialect}-{name}"
                url = create_database(server, name) if dialect == "postgresql" else ""
                run = _runner(data, url)
                run("db", "upgrade")
                idle = run("import", "news", str(empty))
                cost = run("import", "news", str(file), *options)
                ours = Cost(cost.cpu - idle.cpu, cost.wall - idle.wall)
                yield f"{dialect}, {name}: {_told(ours)}, {ours.cpu / plain.cpu:.1f} times the CPU"


def _told(cost: Cost) -> str:
    each = [1000 * seconds / ARTICLES for seconds in cost]
    return "{:.2f} ms of a processor and {:.2f} ms in all for each".format(*each)


def _write(file: Path) -> float:
    """Write copies of the given articles, whose addresses differ; return the mean size of HTML."""
    given = Path(os.environ.get("MASTHEAD_TEST_ARTICLES") or FEW)
    articles = [json.loads(line) for line in given.read_bytes().splitlines()]
    size = 0
    with file.open("w", encoding="utf-8") as lines:
        for number in range(ARTICLES):
            copy, place = divmod(number, len(articles))
            article = articles[place]
            content = _ADDRESS.sub(rf'\1#{copy}"', article["content"])
            size += len(content.encode())
            title = f"{article['title']} {copy}"
            line = article | {"title": title, "content": content}
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    return size / ARTICLES


def _by_hand(file: Path, database: Path) -> Cost:
    began = time.process_time(), time.perf_counter()
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT, content TEXT)")
    connection.execute("CREATE VIRTUAL TABLE search USING fts5(words, detail=none)")
    rows = [_parsed(number, line) for number, line in enumerate(file.read_bytes().splitlines())]
    texts, words = [row[:3] for row in rows], [row[::3] for row in rows]
    connection.executemany("INSERT INTO article VALUES (?, ?, ?)", texts)
    connection.executemany("INSERT INTO search (rowid, words) VALUES (?, ?)", words)
    connection.commit()
    connection.close()
    return Cost(time.process_time() - began[0], time.perf_counter() - began[1])


def _parsed(number: int, line: bytes) -> tuple[int, str, str, str]:
    article = json.loads(line)
    content = nh3.clean(article["content"])
    return number, article["title"], content, plain_text(content)


def _runner(data: Path, url: str) -> Callable[..., Cost]:
    """Return a function that runs a command as a process of its own."""
    settings = {"plugins": "news", "auth__secrets": uuid.uuid4().hex}
    settings |= {"database__url": url} if url else {}
    environ = servers.environ(data, **settings)

    def run(*arguments: str) -> Cost:
        began = time.perf_counter()
        process = subprocess.Popen(
            [*servers.MASTHEAD, *arguments],
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"masthead {arguments[0]} failed")
        return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began)

    return run
