"""The parsed pages of the documentation, and an instance with all plugins of this repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from masthead.instance import PLUGINS, Instance, open_instance

ROOT = Path(__file__).parents[2]
SOURCES = [
    *("*.md", "core/*.md", "plugins/*/*.md", "clients/*/*.md", "examples/*/*.md", "docs/**/*.md")
]
MARKDOWN = MarkdownIt().enable("table")


@dataclass(frozen=True)
class Document:
    """A Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        """Its path in the repository."""
        return str(self.path.relative_to(ROOT))

    @cached_property
    def tokens(self) -> list[Token]:
        return MARKDOWN.parse(self.path.read_text("utf-8"))

    @property
    def inline(self) -> list[Token]:
        """The inline elements of paragraphs, table cells and headings."""
        return [child for token in self.tokens for child in token.children or ()]

    @property
    def headings(self) -> list[str]:
        """The text of each heading, without backticks."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return [
            "".join(child.content for child in text.children or ())
            for opening, text in pairs
            if opening.type == "heading_open"
        ]

    @property
    def anchors(self) -> set[str]:
        """The targets of links to headings of the page."""
        return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in self.headings}

    @property
    def links(self) -> list[str]:
        hrefs = [str(t.attrGet("href")) for t in self.inline if t.type == "link_open"]
        return hrefs + [str(t.attrGet("src")) for t in self.inline if t.type == "image"]

    @property
    def code(self) -> list[str]:
        """The texts between backticks."""
        return [token.content for token in self.inline if token.type == "code_inline"]

    @property
    def first_cells(self) -> list[str]:
        """The code at the beginning of each table row's first cell, with or without a link."""
        after = zip(self.tokens, self.tokens[2:], strict=False)
        cells = [text.children or () for row, text in after if row.type == "tr_open"]
        shown = [[t for t in cell if t.type != "link_open"] for cell in cells]
        return [cell[0].content for cell in shown if cell and cell[0].type == "code_inline"]

    def blocks(self, language: str) -> list[str]:
        """Return the fenced blocks of a language."""
        return [t.content for t in self.tokens if t.type == "fence" and t.info == language]

    @property
    def quotations(self) -> list[tuple[str, str]]:
        """Pairs of path and block, for blocks below a paragraph of a path and a colon."""
        found = []
        for text, _closing, fence in zip(
            self.tokens, self.tokens[1:], self.tokens[2:], strict=False
        ):
            parts = text.children or []
            named = [part.type for part in parts] == ["code_inline", "text"]
            if fence.type == "fence" and named and parts[1].content == ":":
                found.append((parts[0].content, fence.content))
        return found


DOCUMENTS = [Document(path) for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with ``document`` for each page, and one with ``script`` for each with commands.

    The id of a test with ``script`` has the number of blocks that run, and of those only shown.
    """
    if "document" in metafunc.fixturenames:
        metafunc.parametrize("document", DOCUMENTS, ids=[d.name for d in DOCUMENTS])
    if "script" in metafunc.fixturenames:
        found = [d for d in DOCUMENTS if d.blocks("sh") or d.blocks("console")]
        metafunc.parametrize("script", found, ids=[_count(d) for d in found])


def _count(document: Document) -> str:
    run, shown = len(document.blocks("sh")), len(document.blocks("console"))
    return f"{document.name}: {run} run, {shown} only shown"


@pytest.fixture
def docs() -> dict[str, Document]:
    """The documents by name."""
    return {document.name: document for document in DOCUMENTS}


@pytest.fixture
def own_plugins() -> list[str]:
    """The names of the plugins in this repository, without examples."""
    return sorted(path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml"))


@pytest.fixture
def instance(own_plugins: list[str], tmp_path: Path) -> Iterator[Instance]:
    """An instance with all of them; its database isn't created."""
    ini = {PLUGINS.name: " ".join(own_plugins), "masthead.data": str(tmp_path)}
    opened = open_instance(ini, {})
    yield opened
    opened.close()
