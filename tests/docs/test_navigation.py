"""The website's navigation contains each page once."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CONF = runpy.run_path(str(ROOT / "docs/conf.py"))


def test_each_page_has_one_place_in_the_navigation() -> None:
    entries = [entry for entries in CONF["NAVIGATION"].values() for entry in entries]
    placed = [page for entry in entries for page in ROOT.glob(f"{entry}.md")]
    pages = {page for pattern in CONF["include_patterns"] for page in ROOT.glob(pattern)}

    assert sorted(placed) == sorted(pages - {ROOT / f"{CONF['root_doc']}.md"})


def test_each_document_is_a_page_of_the_website(document: Any) -> None:
    assert any(document.path in ROOT.glob(pattern) for pattern in CONF["include_patterns"])
