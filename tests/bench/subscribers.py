"""The speed of an import of 100,000 subscribers, compared with a plain script."""

from __future__ import annotations

import csv
import gzip
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from masthead import Email
from masthead.db import migrate
from masthead.instance import open_instance
from masthead_email.subscribers.importing import import_subscribers
from tests.bench import servers

ROWS = 100_000
ROUNDS = 3


def measure() -> Iterator[str]:
    """Yield the ratio of the import to csv, the same checks and executemany."""
    with servers.folder() as folder:
        path = folder / "subscribers.csv"
        _write(path)
        ratios = []
        for number in range(ROUNDS):
            plain = _plainly(path, folder / f"{number}.db")
            ours = _ours(path, folder / f"data{number}")
            ratios.append(ours / plain)
            yield f"by hand {plain:.1f} s of the processor, by the import {ours:.1f} s"
        yield f"{sorted(ratios)[ROUNDS // 2]:.2f} times as long"


def _write(path: Path) -> None:
    given = os.environ.get("MASTHEAD_TEST_SUBSCRIBERS")
    if given:
        path.write_bytes(gzip.decompress(Path(given).read_bytes()))
        return
    names = random.Random(7)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("email", "name"))
        for number in range(ROWS):
            first, last = (f"{names.choice('bdfgklmn')}{names.choice('aeiou')}nna" for _ in "ab")
            writer.writerow((f"{first}.{last}{number}@example.org", f"{first} {last}".title()))


def _plainly(path: Path, database: Path) -> float:
    began = time.process_time()
    check = Email().parse
    with path.open(newline="", encoding="utf-8") as file:
        rows = [(check(row["email"]), row["name"]) for row in csv.DictReader(file)]
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE subscriber (email TEXT UNIQUE, name TEXT)")
    connection.executemany("INSERT OR IGNORE INTO subscriber VALUES (?, ?)", rows)
    connection.commit()
    connection.close()
    return time.process_time() - began


def _ours(path: Path, data: Path) -> float:
    instance = open_instance({"masthead.data": str(data), "masthead.plugins": "email"}, {})
    migrate.upgrade(instance.database, instance.plugins)
    began = time.process_time()
    import_subscribers(instance, path.open("rb"), source="import")
    took = time.process_time() - began
    instance.close()
    return took
