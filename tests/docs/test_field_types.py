"""The field types of one's own in the documentation work, alone and in a column."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from masthead import FieldType, field


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
