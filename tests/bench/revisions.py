"""Revisions: the cost of a save, the storage of a long text, and the time of a comparison.

Times are processor times of one run. A save with revisions should cost at most 1.3 times as much as
without them; 1,000 changes of a text should need at most 3 times its size; and a comparison of two
texts of 1 MiB at most a second.
"""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from statistics import median
from typing import Any

from sqlalchemy import func, select

from masthead.history.models import RevisionValue
from masthead.history.tokens import TooDifferentError, compare_texts
from tests.bench.staffed import Staffed, staffed

PATH = "/api/staff/news"
ROUNDS, WARM = 300, 30
SHORT = "<h2>A harbour</h2>" + "<p>It was built in <b>several</b> stages, over years.</p>" * 10
MEBIBYTE = 1024**2
CHANGES = 1_000
MANY = 10_000
_RECORD, _FOLD = "masthead.revisions.record", "masthead.revisions.fold_minutes"


def measure() -> Iterator[str]:
    """Yield the ratios of saves, the size of stored texts, and the times of comparisons."""
    with ExitStack() as stack:
        kept, folded, bare = (
            stack.enter_context(staffed("news", settings))
            for settings in ({_FOLD: "0"}, {}, {_RECORD: "false"})
        )
        for name, content in (("short", SHORT), ("100 KiB", _text(100_000))):
            saves = [_save(desk, content) for desk in (kept, folded, bare)]
            rounds = ROUNDS if content == SHORT else ROUNDS // 5
            each, fold, without = _medians(saves, rounds)
            yield (
                f"a save of a {name} text: {each / without:.2f} times as much processor time with a"
                f" revision, {fold / without:.2f} times if it is folded"
                f" ({without * 1000:.2f} ms without)"
            )
        yield _storage(kept)
        yield _many(kept)
    yield from _comparisons()


def _save(desk: Staffed, content: str) -> Callable[[], Any]:
    made = desk.publish(PATH, "news", title="A harbour", content=content)
    numbers = count()

    def save() -> None:
        words = f"Number {next(numbers)}"
        desk.admin.put_json(f"{PATH}/{made}", {"title": words, "content": f"{content}<p>{words}"})

    return save


def _medians(saves: list[Callable[[], Any]], rounds: int) -> list[float]:
    for _ in range(WARM):
        for save in saves:
            save()
    costs = [[_cost(save) for save in saves] for _ in range(rounds)]
    return [median(each) for each in zip(*costs, strict=True)]


def _storage(desk: Staffed) -> str:
    letters = random.Random(1)
    text = list(_text(MEBIBYTE - 1_000))
    made = desk.admin.post_json(PATH, {"title": "Long", "content": "".join(text)}).json["id"]
    began = time.process_time()
    for _ in range(CHANGES):
        place = letters.randrange(10, len(text) - 10)
        while not text[place].isalpha() or not text[place - 1].isalpha():
            place += 1
        text[place] = "b" if text[place] == "a" else "a"
        desk.admin.put_json(f"{PATH}/{made}", {"content": "".join(text)})
    each = (time.process_time() - began) / CHANGES
    mine = (RevisionValue.kind == "news", RevisionValue.item == str(made))
    with desk.instance.database.session() as session:
        size, number = session.execute(
            select(func.sum(func.length(RevisionValue.data)), func.count()).where(*mine)
        ).one()
    shown = median(
        _cost(lambda: desk.admin.get(f"{PATH}/{made}/revisions/{CHANGES - 1}")) for _ in range(5)
    )
    listed = median(_cost(lambda: desk.admin.get(f"{PATH}/{made}/revisions")) for _ in range(5))
    return (
        f"{number:,} states of a text of 1 MiB: {size / MEBIBYTE:.2f} MiB, {each * 1000:.0f} ms of"
        f" a core per save; one of them is shown in {shown * 1000:.0f} ms, 50 are listed in"
        f" {listed * 1000:.1f} ms"
    )


def _many(desk: Staffed) -> str:
    made = desk.admin.post_json(PATH, {"title": "A harbour", "content": SHORT}).json["id"]
    costs = []
    for number in range(MANY):
        body = {"title": f"Number {number}"}
        costs.append(_cost(partial(desk.admin.put_json, f"{PATH}/{made}", body)))
    revisions = f"{PATH}/{made}/revisions"
    asked = {
        "the first page": (revisions, {}),
        "the last page": (revisions, {"offset": MANY - 50}),
        "the first revision": (f"{revisions}/1", {}),
    }
    shown = [
        f"{name} {median(_cost(partial(desk.admin.get, *each)) for _ in range(5)) * 1000:.1f} ms"
        for name, each in asked.items()
    ]
    return (
        f"{MANY:,} revisions of an item: the last 500 saves take"
        f" {median(costs[-500:]) / median(costs[:500]):.2f} times as long as the first 500;"
        f" {', '.join(shown)}"
    )


def _comparisons() -> Iterator[str]:
    one, other = _text(MEBIBYTE), _text(MEBIBYTE, seed=2)
    words = one.split(" ")
    for index in range(0, len(words), 40):
        words[index] = words[index][:-1] + "x" if words[index].isalpha() else words[index]
    cases = {
        "a letter changed": one[:500_000] + "x" + one[500_001:],
        "every 40th word changed": " ".join(words),
        "the halves swapped": one[MEBIBYTE // 2 :] + one[: MEBIBYTE // 2],
        "nothing in common": other,
        "one word only, repeated": "word " * (MEBIBYTE // 5),
    }
    for name, text in cases.items():
        began = time.process_time()
        try:
            result = f"{len(compare_texts(one, text, html=True)):,} parts"
        except TooDifferentError:
            result = "too different"
        yield f"two texts of 1 MiB, {name}: {time.process_time() - began:.2f} s, {result}"


def _text(size: int, seed: int = 1) -> str:
    """Return prose in paragraphs."""
    letters = random.Random(seed)
    alphabet = string.ascii_lowercase
    lexicon = ["".join(letters.choices(alphabet, k=n % 9 + 2)) for n in range(5_000)]
    parts: list[str] = []
    length = 0
    while length < size - 600:
        paragraph = f"<p>{' '.join(letters.choices(lexicon, k=60))}.</p>"
        parts.append(paragraph)
        length += len(paragraph)
    return "".join(parts)


def _cost(do: Callable[[], Any]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began
