"""The pages on contacts and on names of columns have what an import knows."""

from __future__ import annotations

import re
from pathlib import Path

from masthead.csv.header_names import all_names
from masthead_crm.columns import COLUMNS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_contacts_has_each_field() -> None:
    _, _, after = (DOCS / "contacts.md").read_text("utf-8").partition("\n## Columns\n")
    text, _, _ = after.partition("\n## ")
    rows = re.findall(r"^\| `(\w+)`[^|]*\|([^|]*)\|$", text, re.MULTILINE)

    assert [name for name, _cell in rows] == [column.name for column in COLUMNS]


def test_the_page_on_names_of_columns_has_each_name_in_its_order() -> None:
    _, *sections = (DOCS / "header-names.md").read_text("utf-8").split("\n## ")
    told = [
        re.findall(r"`([^`]+)`", cells)
        for section in sections
        for cells in re.findall(r"^\| [^|`]+\|([^|]*`[^|]*)\|$", section, re.MULTILINE)
    ]
    known: dict[tuple[str, str], list[str]] = {}
    for each in all_names():
        known.setdefault((each.language, each.part), []).append(each.name)

    assert len(sections) == len({language for language, _part in known})
    assert sorted(told) == sorted(known.values())
