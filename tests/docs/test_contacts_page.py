"""The page on contacts has the columns of an import."""

from __future__ import annotations

import re
from pathlib import Path

from masthead_crm.columns import COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "contacts.md"


def test_the_page_has_each_column_with_what_other_tools_call_it() -> None:
    _, _, after = PAGE.read_text("utf-8").partition("\n## Columns\n")
    text, _, _ = after.partition("\n## ")
    rows = re.findall(r"^\| `(\w+)`[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    told = {name: re.findall(r"`([^`]+)`", cell) for name, cell in rows}

    for column in COLUMNS:
        joined = [part for parts in column.joined for part in parts]
        known = [column.name, *column.aliases, *joined]
        assert told[column.name][: len(known)] == known
    assert list(told) == [column.name for column in COLUMNS]
