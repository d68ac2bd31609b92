"""The pages about hooks list each value that the arguments of hooks can have."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import pytest

from masthead import PublicationWay, TransitionName


@pytest.mark.parametrize(
    ("values", "heading"),
    [
        (PublicationWay, "masthead_publishing(session, publications)"),
        (TransitionName, "masthead_transitioned(session, event)"),
    ],
    ids=lambda it: getattr(it, "__name__", ""),
)
def test_the_section_of_a_hook_lists_the_values_of_its_events(
    values: type[StrEnum], heading: str, docs: dict[str, Any]
) -> None:
    text = docs["docs/hooks.md"].path.read_text("utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]

    assert [str(it) for it in values if not re.search(rf"`{it}`", section)] == []
