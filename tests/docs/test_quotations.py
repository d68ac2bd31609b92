"""A quoted block of code equals the file that is named above the block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def test_what_is_quoted_stands_in_the_file(document: Any) -> None:
    differing = [
        path
        for path, block in document.quotations
        if (ROOT / path).read_text("utf-8").strip() != block.strip()
    ]

    assert differing == []


def test_the_tutorial_quotes_the_example(docs: dict[str, Any]) -> None:
    quoted = {path for path, _ in docs["docs/plugin-tutorial.md"].quotations}

    example = ROOT / "examples" / "masthead_podcasts"
    code = [path for path in example.rglob("*.py") if "migrations" not in path.parts]
    told = {str(path.relative_to(ROOT)) for path in code if path.name != "__init__.py"}
    assert quoted >= told
