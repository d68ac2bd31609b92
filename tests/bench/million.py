"""The cost of a page of a public list among 1,000,000 items, compared with 10,000 items.

The items are events, because their list has a filter for upcoming ones; half of them are past.
Answers are not cached. Totals are cached where the name of the query says so: a server counts once
for all pages until content changes or an event starts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import count
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Text,
    cast,
    func,
    insert,
    literal,
    literal_column,
    select,
    true,
)
from webtest import TestApp

from masthead.content.public_reading import PublicReading
from masthead.content.visibility_changes import VisibilityChanges
from masthead.db import Database, UTCDateTime, migrate, utcnow
from masthead.http.paging import Totals, Window
from masthead.instance import Instance, open_instance
from masthead.tags.models import Tag
from masthead.testing.postgres import running_postgres
from masthead.web.app import app_of
from masthead_events.contenttype import EVENTS
from tests.bench.settling import settle

SIZES = (10_000, 1_000_000)
DATABASES = ("sqlite", "postgresql")
TAGGED = 10
"""The number of events of which one has the tag."""
ROUNDS = 51
WINDOW = Window(50, 0)


def measure() -> Iterator[str]:
    """Yield the cost of each query among many items, and its ratio to the cost among few; then the
    cost of a request for a deep page, and its ratio to that of the second page.

    The queries run in turn, because the speed of a machine varies. ``MASTHEAD_TEST_DATABASE``
    can select one database.
    """
    only = os.environ.get("MASTHEAD_TEST_DATABASE")
    for kind in [only] if only else DATABASES:
        with _instance(kind, SIZES[0]) as few, _instance(kind, SIZES[1]) as many:
            ways = _ways(few, SIZES[0]), _ways(many, SIZES[1])
            for way in ways[0]:
                least, most = _medians(ways[0][way], ways[1][way])
                yield (
                    f"{kind}: {way}: {most * 1000:.2f} ms,"
                    f" {most / least:.2f} times that among {SIZES[0]:,}"
                )
            for instance, size in ((few, SIZES[0]), (many, SIZES[1])):
                deep, first = _medians(*_requests(instance, size * 9 // 10, WINDOW.limit))
                yield (
                    f"{kind}: a whole request after nine tenths of {size:,}: {deep * 1000:.2f} ms,"
                    f" {deep / first:.2f} times that of the second page"
                )


@contextmanager
def _instance(kind: str, size: int) -> Iterator[Instance]:
    """Make an instance with published events, one per minute, half of them past."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="masthead-bench-"))
        is_sqlite = kind == "sqlite"
        url = f"sqlite:///{folder}/b.db" if is_sqlite else stack.enter_context(running_postgres())
        ini = {
            "masthead.data": folder,
            "masthead.plugins": "events",
            "masthead.database.url": url,
            "masthead.auth.secrets": "9c41d27a60e84b53b1f7c8d2e6a05f13",
        }
        instance = stack.enter_context(_opened(ini))
        _fill(instance.database, size)
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
    """Store the events in one statement, and give the tag to every tenth."""
    first = select(literal(1).label("n")).cte("numbers", recursive=True)
    numbers = first.union_all(select(first.c.n + 1).where(first.c.n < size))
    row = _event(numbers.c.n, _start(database.dialect, numbers.c.n - size // 2), utcnow())
    links, table = EVENTS.links, EVENTS.table
    tagged = select(table.c.id, literal(1), table.c.position).where(table.c.id % TAGGED == 0)
    with database.transaction() as session:
        session.add(Tag(id=1, name="Water", name_key="water", slug="water"))
        session.flush()
        made = select(*row.values()).select_from(numbers)
        session.execute(insert(table).from_select(list(row), made, include_defaults=False))
        session.execute(insert(links).from_select(["item_id", "tag_id", "position"], tagged))
    settle(database)


def _requests(instance: Instance, *offsets: int) -> list[Callable[[], Any]]:
    """Return a function for each offset that requests a page near it; none is cached."""
    app, numbers = TestApp(app_of(instance)), count()
    return [
        lambda offset=offset: app.get(
            f"/api/events?limit={WINDOW.limit}&offset={offset + next(numbers)}"
        )
        for offset in offsets
    ]


def _start(dialect: str, minutes: ColumnElement[int]) -> ColumnElement[Any]:
    """Return the time a number of minutes from now, as a column stores it."""
    if dialect == "sqlite":
        shift = cast(minutes, Text) + " minutes"
        return func.strftime("%Y-%m-%dT%H:%M:%fZ", "now", shift)
    return func.now() + minutes * literal_column("interval '1 minute'")


def _event(
    number: ColumnElement[int], start: ColumnElement[Any], now: datetime
) -> dict[str, ColumnElement[Any]]:
    """Return the columns of an event."""
    moment = literal(now, UTCDateTime())
    return {
        "id": number,
        "title": literal("Event ") + cast(number, Text),
        "slug": literal("event-") + cast(number, Text),
        "listed": literal('{"title": "' + "What lists show of it. " * 15 + '"}', Text()),
        "start_date": start,
        "position": start,
        "published": true(),
        "approval_status": literal("approved"),
        "revision": literal(1),
        "created_at": moment,
        "updated_at": moment,
        "changed_at": moment,
    }


def _ways(instance: Instance, size: int) -> dict[str, Callable[[], Any]]:
    """Return the queries by name."""
    database, totals = instance.database, Totals()
    reading, changes = PublicReading(EVENTS, instance), VisibilityChanges([EVENTS])

    def page(
        totals: Totals | None,
        tag: str | None = None,
        *,
        upcoming: bool = False,
        window: Window = WINDOW,
    ) -> Callable[[], Any]:
        def ask() -> None:
            with database.read() as connection:
                reading.page(connection, window, tag, totals, upcoming=upcoming)

        return ask

    def boundary() -> None:
        with database.read() as connection:
            changes.around(connection, utcnow())

    return {
        "first page, total kept": page(totals),
        "first page of a tag, total kept": page(totals, "water"),
        "page in the middle, total kept": page(totals, window=Window(50, size // 2)),
        "page after nine tenths, total kept": page(totals, window=Window(50, size * 9 // 10)),
        "the same of a tag, total kept": page(
            totals, "water", window=Window(50, size // TAGGED * 9 // 10)
        ),
        "first page, counted anew": page(None),
        "first upcoming, total kept": page(totals, upcoming=True),
        "first upcoming of a tag, total kept": page(totals, "water", upcoming=True),
        "first upcoming, counted anew": page(None, upcoming=True),
        "the next event to start": boundary,
    }


def _medians(*ways: Callable[[], Any]) -> list[float]:
    """Return the seconds of each warm query; the queries run in turn."""
    took: list[list[float]] = [[] for _ in ways]
    for number in range(ROUNDS + 1):
        for ask, times in zip(ways, took, strict=True):
            began = time.perf_counter()
            ask()
            if number:
                times.append(time.perf_counter() - began)
    return [median(times) for times in took]
