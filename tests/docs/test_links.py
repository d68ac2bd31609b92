from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# A file or folder of the repository, such as core/masthead/web/app.py.
PATH = re.compile(r"(core|plugins|config|docs|examples|tests)/[\w./-]+\Z")


def test_links_lead_somewhere(document: Any, docs: dict[str, Any]) -> None:
    broken = []
    for link in document.links:
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (document.path.parent / path).resolve() if path else document.path
        page = docs.get(str(target.relative_to(ROOT)))
        if not target.exists() or (anchor and (page is None or anchor not in page.anchors)):
            broken.append(link)

    assert broken == []


def test_files_that_are_named_exist(document: Any) -> None:
    """A path is relative to the repository or to the page's folder."""
    named = [code for code in document.code if PATH.match(code)]
    folders = (ROOT, document.path.parent)

    assert [p for p in named if not any((folder / p).exists() for folder in folders)] == []


def test_every_page_is_linked_from_somewhere(docs: dict[str, Any]) -> None:
    linked = {
        (page.path.parent / link.partition("#")[0]).resolve()
        for page in docs.values()
        for link in page.links
    }

    pages = [page for name, page in docs.items() if name.startswith("docs/")]
    assert [page.name for page in pages if page.path not in linked] == []
