"""The field types of one's own in the documentation work, alone and in a column."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from masthead import FieldType, field
from masthead.cli.plugin_fields import KINDS


def test_the_field_types_of_the_example_accept_their_samples(docs: dict[str, Any]) -> None:
    [block] = [b for b in docs["docs/plugin-api.md"].blocks("python") if "(FieldType)" in b]
    module = ModuleType("example_of_field_types")
    exec(block, vars(module))

    for kind in (module.ShelfMark(), module.Minutes()):
        assert isinstance(kind, FieldType)
        assert field(kind).column.type is kind.column_type
        for sample in kind.samples:
            stored = kind.parse(sample)
            assert kind.dump(stored) == sample
            assert kind.restore(sample) == stored


def test_the_tutorial_lists_the_kinds_of_fields_of_a_new_plugin(docs: dict[str, Any]) -> None:
    text = docs["docs/plugin-tutorial.md"].path.read_text("utf-8")
    [_, section] = text.split("## A plugin from a command")
    [table] = re.findall(r"\| Kind .*?\n\n", section, re.DOTALL)
    cells = [row.split("|")[1] for row in table.splitlines()[2:] if row]

    listed = [kind for cell in cells for kind in re.findall(r"`(\w+)`", cell)]
    assert sorted(listed) == sorted(KINDS)
