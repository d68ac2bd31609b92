"""What the first upcoming events and their total cost among 10,000 events and 1,000,000.

Half of the events are past. Nothing of the answers is kept, but for totals where that is said: a
server counts once for all pages that it answers until content changes or an event starts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import insert

from masthead.content.boundaries import Boundaries
from masthead.content.public_reading import PublicReading
from masthead.db import Database, migrate, utcnow
from masthead.instance import Instance, open_instance
from masthead.paging import Totals, Window
from masthead.tags.models import Tag
from masthead.testing.postgres import running_postgres
from masthead_events.contenttype import EVENTS
from masthead_events.models import Event

SIZES = (10_000, 1_000_000)
DATABASES = ("sqlite", "postgresql")
BATCH = 10_000
TAGGED = 10
"""One event in so many has the tag."""
ROUNDS = 51
WINDOW = Window(50, 0)


def main() -> None:
    """Measure on both databases, or on the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=DATABASES, action="append")
    options = parser.parse_args()
    for line in measure(options.database or DATABASES):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def measure(databases: Sequence[str] = DATABASES) -> Iterator[str]:
    """Tell what each way to ask costs among the many, and how often that is what the few cost."""
    for kind in databases:
        few, many = (_measure_one(kind, size) for size in SIZES)
        for way, took in many.items():
            ratio = took / few[way]
            yield f"{kind}: {way}: {took * 1000:.2f} ms, {ratio:.2f} times that among {SIZES[0]:,}"


def _measure_one(kind: str, size: int) -> dict[str, float]:
    with _instance(kind) as instance:
        _fill(instance.database, size)
        return {way: _median(ask) for way, ask in _ways(instance).items()}


@contextmanager
def _instance(kind: str) -> Iterator[Instance]:
    """An empty instance with events."""
    with TemporaryDirectory(prefix="masthead-bench-") as folder:
        ini = {"masthead.data": folder, "masthead.plugins": "events"}
        if kind == "sqlite":
            with _opened(ini | {"masthead.database.url": f"sqlite:///{folder}/b.db"}) as instance:
                yield instance
        else:
            with (
                running_postgres() as url,
                _opened(ini | {"masthead.database.url": url}) as instance,
            ):
                yield instance


@contextmanager
def _opened(ini: Mapping[str, str]) -> Iterator[Instance]:
    instance = open_instance(ini, {})
    try:
        migrate.upgrade(instance.database, instance.plugins)
        yield instance
    finally:
        instance.close()


def _fill(database: Database, size: int) -> None:
    """Store published events, a minute apart, half of them past."""
    first = utcnow() - timedelta(minutes=size // 2)
    with database.transaction() as session:
        session.add(Tag(id=1, name="Water", name_key="water", slug="water"))
    for start in range(1, size + 1, BATCH):
        numbers = range(start, min(start + BATCH, size + 1))
        events = [_event(number, first) for number in numbers]
        links = [
            {"item_id": event["id"], "tag_id": 1, "position": event["position"]}
            for event in events
            if event["id"] % TAGGED == 0
        ]
        with database.transaction() as session:
            session.execute(insert(Event), events)
            session.execute(insert(EVENTS.links), links)
    # As the server itself does sooner or later.
    statement = "ANALYZE" if database.dialect == "sqlite" else "VACUUM ANALYZE"
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql(statement)


def _event(number: int, first: datetime) -> dict[str, Any]:
    start = first + timedelta(minutes=number)
    shown = {
        "id": number,
        "title": f"Event {number}",
        "slug": f"event-{number}",
        "description": "What will be, told in a sentence or two. " * 3,
        "location": "Town hall",
    }
    return {
        **shown,
        "listed": json.dumps(shown),
        "start_date": start,
        "position": start,
        "published": True,
        "approval_status": "approved",
        "first_published_at": datetime(2020, 1, 1, tzinfo=UTC),
    }


def _ways(instance: Instance) -> dict[str, Callable[[], Any]]:
    """What is asked, by what it is called."""
    database, totals = instance.database, Totals()
    reading, boundaries = PublicReading(EVENTS, database), Boundaries([EVENTS])

    def page(totals: Totals | None, tag: str | None = None) -> Callable[[], Any]:
        def ask() -> None:
            with database.read() as connection:
                reading.page(connection, WINDOW, tag, totals, upcoming=True)

        return ask

    def boundary() -> None:
        with database.read() as connection:
            boundaries.around(connection, utcnow())

    return {
        "first page, total kept": page(totals),
        "first page of a tag, total kept": page(totals, "water"),
        "first page, counted anew": page(None),
        "first page of a tag, counted anew": page(None, "water"),
        "the next event to start": boundary,
    }


def _median(ask: Callable[[], Any]) -> float:
    """Seconds that asking takes, once all is warm."""
    ask()
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ask()
        took.append(time.perf_counter() - began)
    return median(took)


if __name__ == "__main__":
    main()
