"""How fast 100,000 subscribers are imported, beside reading them and storing them by hand."""

from __future__ import annotations

import csv
import gzip
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from masthead import Email
from tests.bench import servers

ROWS = 100_000
ROUNDS = 3


def measure() -> Iterator[str]:
    """Tell what the command takes in proportion to csv, the same checks and executemany."""
    with servers.folder() as folder:
        path = folder / "subscribers.csv"
        _write(path)
        ratios = []
        for number in range(ROUNDS):
            plain, ours = _plainly(path, folder / f"{number}.db"), _by_command(path, folder, number)
            ratios.append(ours / plain)
            yield f"by hand {plain:.1f} s, masthead subscribers import {ours:.1f} s"
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
    began = time.perf_counter()
    check = Email().parse
    with path.open(newline="", encoding="utf-8") as file:
        rows = [(check(row["email"]), row["name"]) for row in csv.DictReader(file)]
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE subscriber (email TEXT UNIQUE, name TEXT)")
    connection.executemany("INSERT OR IGNORE INTO subscriber VALUES (?, ?)", rows)
    connection.commit()
    connection.close()
    return time.perf_counter() - began


def _by_command(path: Path, folder: Path, number: int) -> float:
    environment = {**os.environ, "MASTHEAD_DATA": str(folder / f"data{number}")}
    masthead = [sys.executable, "-c", "from masthead.cli import main; main()"]
    subprocess.run([*masthead, "db", "upgrade"], env=environment, check=True, capture_output=True)
    began = time.perf_counter()
    command = [*masthead, "subscribers", "import", str(path)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began
