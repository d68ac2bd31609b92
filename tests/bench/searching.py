"""What an uncached search among many articles costs: python tests/bench/searching.py news.jsonl.

The articles are cut from those of a file of JSON lines (title, description, content as HTML).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, insert, update

from masthead import html
from masthead.content.public_search import PublicSearch
from masthead.content.reindexing import reindex
from masthead.content.shapes import public_shape
from masthead.content.staff_reading import StaffReading
from masthead.db import Database, migrate
from masthead.html.plain import plain_text
from masthead.instance import Instance, open_instance
from masthead.paging import Totals, Window
from masthead.testing.postgres import running_postgres
from masthead_news.models import Article
from masthead_news.plugin import NEWS

QUERIES = {
    "a rare word": "Geigerzähler",
    "two words": "copyright museum",
    "a common pair": "open community",
    "Chinese": "开源项目",
    "Japanese, one character": "者",
    "Hindi": "ओपन सोर्स",
    "Arabic": "المصدر المفتوح",
    "two letters": "co",
    "one letter": "c",
    "of nearly all": "the",
    "nothing": "xyzzy",
}
HIDDEN = 0.05
ROUNDS = 15


def main() -> None:
    """Measure on both databases, or on the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    options = parser.parse_args()
    for kind in options.database or ("sqlite", "postgresql"):
        with TemporaryDirectory() as folder:
            if kind == "sqlite":
                measure(f"sqlite:///{folder}/bench.db", folder, options.file, options.articles)
            else:
                with running_postgres() as url:
                    measure(url, folder, options.file, options.articles)


def measure(url: str, folder: str, file: Path, articles: int) -> None:
    """Fill a database, index it, ask it, and print what each took."""
    ini = {"masthead.data": folder, "masthead.database.url": url, "masthead.plugins": "news"}
    instance = open_instance(ini, {})
    try:
        migrate.upgrade(instance.database, instance.plugins)
        fill(instance.database, file, articles)
        began = time.perf_counter()
        indexed = sum(reindex(instance))
        tell(
            f"{instance.database.dialect}: {indexed} indexed in {time.perf_counter() - began:.0f} s"
        )
        tidy(instance.database)
        ask(instance)
    finally:
        instance.close()


def fill(database: Database, file: Path, articles: int) -> None:
    """Store articles that are windows on the text of the file's articles."""
    rows = cut(file, articles)
    while batch := list(islice(rows, 1000)):
        with database.transaction() as session:
            session.execute(insert(Article), batch)
    # As the kit does, and the server itself sooner or later.
    shape = public_shape(NEWS, database.dialect, detail=False)
    with database.transaction() as session:
        session.execute(update(Article).values(listed=shape.json(database.dialect)))


def tidy(database: Database) -> None:
    """Do what databases do by themselves, sooner or later."""
    statement = "ANALYZE" if database.dialect == "sqlite" else "VACUUM ANALYZE"
    autocommit = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with autocommit.connect() as connection:
        connection.exec_driver_sql(statement)


def cut(file: Path, articles: int) -> Iterator[dict[str, Any]]:
    """Yield rows of articles of 800 to 4,000 characters."""
    draw = random.Random(1)
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    texts = [plain_text(html.clean(line["content"])) for line in lines]
    for number in range(articles):
        at = draw.randrange(len(lines))
        length = draw.randint(800, 4000)
        start = draw.randrange(max(1, len(texts[at]) - length))
        moment = datetime(2010, 1, 1, tzinfo=UTC) + timedelta(minutes=draw.randrange(8_000_000))
        yield {
            "title": lines[at]["title"],
            "slug": f"article-{number}",
            "description": lines[at]["description"],
            "content": f"<p>{escape(texts[at][start : start + length])}</p>",
            "published": draw.random() >= HIDDEN,
            "approval_status": "approved",
            "published_at": moment,
            "position": moment,
        }


def ask(instance: Instance) -> None:
    """Print the median time of each query's first page with its total, nothing being cached."""
    public = PublicSearch(NEWS, instance.database)
    staff = StaffReading(NEWS, instance.database.dialect)
    window = Window(50, 0)
    with instance.database.session(read_only=True) as session:
        connection = session.connection()
        tell(f"  database: {size(connection) / 1e6:.0f} MB")
        for name, words in QUERIES.items():
            times: dict[str, list[float]] = {"public": [], "staff": []}
            total = 0
            for _ in range(ROUNDS):
                began = time.perf_counter()
                total = public.page(connection, window, words, None, Totals()).total
                between = time.perf_counter()
                staff.page(connection, window, words)
                times["public"].append(between - began)
                times["staff"].append(time.perf_counter() - between)
            shown = ", ".join(
                f"{who} {median(took) * 1000:.1f} ms (least {min(took) * 1000:.1f})"
                for who, took in times.items()
            )
            tell(f"  {name} ({words}): {total} found, {shown}")


def size(connection: Connection) -> int:
    """Bytes of the database."""
    if connection.dialect.name == "postgresql":
        statement = "SELECT pg_database_size(current_database())"
    else:
        statement = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    return int(connection.exec_driver_sql(statement).scalar_one())


def tell(line: str) -> None:
    """Show a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
