"""The speed of importing 100,000 subscribers, compared with a script that uses libraries only."""

from __future__ import annotations

import csv
import gzip
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from email_validator import validate_email

from masthead.db import migrate
from masthead.instance import open_instance
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from tests.bench import servers

ROWS = 100_000
ROUNDS = 3


def measure() -> Iterator[str]:
    """Compare the import with csv, email-validator and executemany."""
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
    check = partial(validate_email, check_deliverability=False, test_environment=True, strict=True)
    with path.open(newline="", encoding="utf-8") as file:
        rows = [
            (check(row["email"]).normalized.lower(), row["name"]) for row in csv.DictReader(file)
        ]
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
    with path.open("rb") as file:
        import_subscribers(instance, file, ImportOptions(source="import"))
    took = time.process_time() - began
    instance.close()
    return took
