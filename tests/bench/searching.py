"""The cost of searches among 100,000 articles on both databases, without cached answers."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import Connection, insert

from masthead import html
from masthead.content.list_json import generate_missing
from masthead.content.public_search import PublicSearch
from masthead.content.reindexing import reindex
from masthead.content.staff_reading import StaffReading
from masthead.db import Database, migrate
from masthead.html.plain import plain_text
from masthead.http.paging import Page, Window
from masthead.instance import Instance, open_instance
from masthead.testing.postgres import running_postgres
from masthead_news.models import Article
from masthead_news.plugin import NEWS
from tests.bench import servers
from tests.bench.settling import settle

ROOT = Path(__file__).resolve().parents[2]
FEW = ROOT / "core" / "tests" / "search" / "articles.jsonl"
PAGES = ROOT / "docs"
QUERIES = {
    "a rare word": "deadlines",
    "two words": "single value",
    "two common words": "that with",
    "Chinese": "开源项目",
    "Japanese, one character": "者",
    "Hindi": "समुदाय अपने",
    "Arabic": "المصدر مفتوح",
    "three letters": "com",
    "two letters": "co",
    "one letter": "c",
    "nearly everywhere": "the",
    "nowhere": "xyzzy",
}
ARTICLES = 100_000
HIDDEN = 0.05
ROUNDS = 15


def measure() -> Iterator[str]:
    """Yield the number of results of each query, and the time of a first page with its total.

    ``MASTHEAD_TEST_ARTICLES`` can name a file of articles (JSON lines) with the text to use, and
    ``MASTHEAD_TEST_DATABASE`` can select one database. The processor time is more reliable if other
    programs run meanwhile.
    """
    texts = list(_texts(os.environ.get("MASTHEAD_TEST_ARTICLES")))
    only = os.environ.get("MASTHEAD_TEST_DATABASE")
    for dialect in [only] if only else ["sqlite", "postgresql"]:
        with _instance(dialect) as instance:
            _fill(instance.database, texts)
            began = time.perf_counter()
            indexed = sum(reindex(instance))
            yield f"{dialect}: {indexed:,} indexed in {time.perf_counter() - began:.0f} s"
            _tidy(instance.database)
            yield from _answers(instance)


@contextmanager
def _instance(dialect: str) -> Iterator[Instance]:
    """Make an instance with news on a new database."""
    with ExitStack() as stack:
        folder = stack.enter_context(servers.folder())
        url = f"sqlite:///{folder}/bench.db"
        if dialect == "postgresql":
            url = stack.enter_context(running_postgres())
        ini = {"masthead.data": str(folder), "masthead.database.url": url}
        instance = open_instance({**ini, "masthead.plugins": "news"}, {})
        stack.callback(instance.close)
        migrate.upgrade(instance.database, instance.plugins)
        yield instance


def _texts(file: str | None) -> Iterator[tuple[str, str]]:
    """Yield titles and texts: of the articles of a file, or of the tests and documentation."""
    for line in Path(file or FEW).read_bytes().splitlines():
        article = json.loads(line)
        yield article["title"], plain_text(html.clean(article["content"]))
    if file is None:
        for page in sorted(PAGES.glob("*.md")):
            yield page.stem, page.read_text("utf-8")


def _fill(database: Database, texts: Sequence[tuple[str, str]]) -> None:
    rows = _cut(texts)
    while batch := list(islice(rows, 1000)):
        with database.transaction() as session:
            session.execute(insert(Article), batch)


def _cut(texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield rows of articles, each with a part of 800 to 4,000 characters of the texts."""
    draw = random.Random(1)
    for number in range(ARTICLES):
        title, text = draw.choice(texts)
        length = draw.randint(800, 4000)
        start = draw.randrange(max(1, len(text) - length))
        moment = datetime(2010, 1, 1, tzinfo=UTC) + timedelta(minutes=draw.randrange(8_000_000))
        yield {
            "title": title,
            "slug": f"article-{number}",
            "content": f"<p>{escape(text[start : start + length])}</p>",
            "published": draw.random() >= HIDDEN,
            "approval_status": "approved",
            "published_at": moment,
            "position": moment,
        }


def _tidy(database: Database) -> None:
    """Write the entries of lists, as workers do, and settle the database."""
    more = True
    while more:
        with database.transaction() as session:
            more = generate_missing(session)
    settle(database)


def _answers(instance: Instance) -> Iterator[str]:
    public = PublicSearch(NEWS, instance.database)
    staff = StaffReading(NEWS, instance.database.dialect)
    window = Window(50, 0)
    with instance.database.session(read_only=True) as session:
        connection = session.connection()
        cpu = _processor_time(connection)
        yield f"{_size(connection) / 1e6:.0f} MB; medians of {ROUNDS}, in ms; CPU is processor time"
        columns = ("found", "public", "CPU", "staff", "CPU")
        yield " " * 24 + "".join(f"{column:>8}" for column in columns)
        for name, words in QUERIES.items():
            in_public = partial(public.page, connection, window, words, None, None)
            as_staff = partial(staff.page, connection, window, words)
            found = in_public().total
            costs = (*_cost(in_public, cpu), *_cost(as_staff, cpu))
            figures = "".join(f"{1000 * seconds:8.1f}" for seconds in costs)
            yield f"{name:24}{found:8,}{figures}  {words}"


def _cost(ask: Callable[[], Page], cpu: Callable[[], float]) -> tuple[float, float]:
    """Return the medians of the seconds of an answer, and of its processor seconds."""
    spent = []
    for _ in range(ROUNDS):
        before = time.perf_counter(), cpu()
        ask()
        spent.append((time.perf_counter() - before[0], cpu() - before[1]))
    seconds, of_processor = zip(*spent, strict=True)
    return median(seconds), median(of_processor)


def _processor_time(connection: Connection) -> Callable[[], float]:
    """Return a function that returns processor seconds of this process and of its database's."""
    if connection.dialect.name == "sqlite":
        return time.process_time
    pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    nanoseconds = Path(f"/proc/{pid}/schedstat")
    return lambda: time.process_time() + int(nanoseconds.read_text().split()[0]) / 1e9


def _size(connection: Connection) -> int:
    """Return the size of the database in bytes."""
    statement = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    if connection.dialect.name == "postgresql":
        statement = "SELECT pg_database_size(current_database())"
    return int(connection.exec_driver_sql(statement).scalar_one())
