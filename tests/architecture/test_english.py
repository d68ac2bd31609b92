"""The check of the English finds headless clauses and accepts other sentences."""

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def check() -> Callable[[Path], Iterator[Any]]:
    found = runpy.run_path(str(ROOT / "tools/english.py"), run_name="english")["check"]
    assert callable(found)
    return found


@pytest.mark.parametrize(
    "source",
    [
        '"""What an instance remembers."""',
        '"""Days after which who logged in has to log in again."""',
        '"""The address of whom a letter is for."""',
        '"""Write an entry in the transaction of what it records."""',
        'raise_it("Nobody shall do that at all")',
        'Setting("days", help="Who is told of a request.")',
        "# Kept for who holds the old one.",
        '"""Return the entry.\n\n    Who has it must end it."""',
        '"""Return the entry.\n\n    :param entry: one\n\n    What is left is kept."""',
    ],
)
def test_a_headless_clause_is_found(
    check: Callable[[Path], Iterator[Any]], tmp_path: Path, source: str
) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"{source}\n")

    assert len(list(check(path))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""Return the users who may approve an item."""',
        '"""Tell staff what is wrong."""',
        '"""Ask: what is a page?"""',
        '"""Return the entries of all\nwho may approve."""',
        'say("what")',
        '"""Return ``what`` as it is."""',
        "x = 1  # the row that says who wrote it",
    ],
)
def test_a_plain_sentence_is_left_alone(
    check: Callable[[Path], Iterator[Any]], tmp_path: Path, source: str
) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"{source}\n")

    assert list(check(path)) == []


def test_a_table_cell_of_a_page_is_a_sentence(
    check: Callable[[Path], Iterator[Any]], tmp_path: Path
) -> None:
    path = tmp_path / "page.md"
    path.write_text("| `a` | what it does |\n\n```\n# what it prints\n```\n")

    assert len(list(check(path))) == 1
