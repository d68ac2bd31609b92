"""The cost of a change of a published article, compared with the same SQL by the driver alone.

Times are processor times. With all plugins, the time should be the same as with news alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from statistics import median
from typing import Any

from sqlalchemy import Engine, event

from tests.bench.staffed import Staffed, staffed

PATH = "/api/staff/news"
ROUNDS, WARM = 400, 30
CONTENT = "<h2>A harbour</h2>" + "<p>It was built in <b>several</b> stages, over years.</p>" * 10

Statement = tuple[str, Any, bool]
"""The text and the parameters of a statement, and whether it is an executemany."""


def measure() -> Iterator[str]:
    """Yield the medians of edits in turn, and the number of statements of an edit."""
    with ExitStack() as stack:
        desks = [stack.enter_context(staffed(plugins)) for plugins in ("", "news")]
        edits = [_edit(desk) for desk in desks]
        for _ in range(WARM):
            for edit in edits:
                edit()
        statements = _recorded(edits[0])
        again = _repeat(desks[0], statements)
        rounds = [[_cost(each) for each in (*edits, again)] for _ in range(ROUNDS)]
    everything, alone, bare = (median(each) for each in zip(*rounds, strict=True))
    yield (
        f"{len(statements)} statements, {everything * 1000:.2f} ms of a core; with news alone"
        f" {alone * 1000:.2f} ms ({everything / alone:.2f} times as much with everything);"
        f" the same SQL alone {bare * 1000:.2f} ms ({everything / bare:.1f} times as much)"
    )


def _edit(desk: Staffed) -> Callable[[], Any]:
    made = desk.publish(PATH, "news", title="A harbour", content=CONTENT)
    numbers = count()

    def edit() -> None:
        words = f"Number {next(numbers)}"
        desk.admin.put_json(f"{PATH}/{made}", {"title": words, "content": f"{CONTENT}<p>{words}"})

    return edit


def _recorded(edit: Callable[[], Any]) -> list[Statement]:
    statements: list[Statement] = []

    def note(
        _connection: Any, _cursor: Any, text: str, parameters: Any, _context: Any, many: bool
    ) -> None:
        if not text.startswith("BEGIN"):
            statements.append((text, parameters, many))

    event.listen(Engine, "before_cursor_execute", note)
    edit()
    event.remove(Engine, "before_cursor_execute", note)
    return statements


def _repeat(desk: Staffed, statements: list[Statement]) -> Callable[[], Any]:
    connection: Any = desk.instance.database.engine.raw_connection()

    def repeat() -> None:
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        for text, parameters, many in statements:
            (cursor.executemany if many else cursor.execute)(text, parameters)
            cursor.fetchall()
        connection.commit()

    return repeat


def _cost(do: Callable[[], Any]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began
