"""The trash: the cost of a delete, and lists of 100,000 deleted items.

Times are processor times of one run. A page of the list, with and without a search, should cost at
most 50 ms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from statistics import median
from typing import Any

from sqlalchemy import insert, update

from masthead import utcnow
from masthead.history.values import compress
from masthead.resources.trashed import TrashedItem
from masthead.trash.retention import purging
from tests.bench.staffed import Staffed, staffed

PATH, TRASH = "/api/staff/news", "/api/staff/trash"
ITEMS, ROUNDS = 100_000, 60
TEXT = "<p>It was built in <b>several</b> stages, over years.</p>" * 60


def measure() -> Iterator[str]:
    """Yield the ratio of deletes, and the times of lists and of the purge."""
    with ExitStack() as stack:
        kept, final = (
            stack.enter_context(staffed("news", settings))
            for settings in ({}, {"masthead.trash.keep": "0"})
        )
        costs = [[_cost(_delete(desk)) for desk in (kept, final)] for _ in range(ROUNDS)]
        with_trash, without = (median(each) for each in zip(*costs, strict=True))
        yield (
            f"a delete: {with_trash / without:.2f} times as much processor time with a trash"
            f" ({without * 1000:.2f} ms without)"
        )
        _fill(kept)
        yield from _lists(kept)
        with kept.instance.database.transaction() as session:
            session.execute(update(TrashedItem).values(deleted_at=utcnow()))
        yield f"100 of them are purged in {_purge(kept) * 1000:.1f} ms"


_NUMBERS = count()


def _delete(desk: Staffed) -> Callable[[], Any]:
    body = {"title": f"Number {next(_NUMBERS)}", "content": TEXT}
    made = desk.admin.post_json(PATH, body).json["id"]
    return lambda: desk.admin.delete(f"{PATH}/{made}")


def _fill(desk: Staffed) -> None:
    data = compress(b'{"row":{},"links":{},"about":{},"text":"%b"}' % (TEXT.encode() * 3))
    fixed = {"kind": "news", "images": [], "size": 0, "data": data, "deleted_at": utcnow()}
    with desk.instance.database.transaction() as session:
        for start in range(0, ITEMS, 5_000):
            numbers = range(start, start + 5_000)
            titles = [f"harbour {number * 7919 % ITEMS} of the town" for number in numbers]
            rows = [
                fixed | {"item_id": 10**6 + number, "title": title, "title_key": title}
                for number, title in zip(numbers, titles, strict=True)
            ]
            session.execute(insert(TrashedItem), rows)


def _lists(desk: Staffed) -> Iterator[str]:
    for name, query in (
        ("first page", {}),
        ("page in the middle", {"offset": ITEMS // 2}),
        ("page of one type", {"contentType": "news"}),
        ("search of a frequent word", {"search": "town"}),
        ("search of a rare word", {"search": "harbour 777 "}),
        ("search that finds nothing", {"search": "lighthouse"}),
    ):
        times = [_cost(partial(desk.admin.get, TRASH, query)) for _ in range(7)]
        yield f"the list of {ITEMS:,} deleted items, {name}: {median(times) * 1000:.1f} ms"


def _purge(desk: Staffed) -> float:
    with desk.instance.database.transaction() as session:
        return _cost(lambda: purging(0)(session))


def _cost(do: Callable[[], Any]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began
