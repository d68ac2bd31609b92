"""The revisions in a plugin's files are read without running them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from masthead import Plugin
from masthead.db.history import state
from masthead.errors import StartError


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Plugin]]:
    """Return a function that creates a plugin with a file for each source."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"history_{uuid4().hex}"

    def make(*sources: str) -> Plugin:
        versions = tmp_path / name / "versions"
        versions.mkdir(parents=True)
        (tmp_path / name / "__init__.py").touch()
        for number, source in enumerate(sources):
            (versions / f"{number}.py").write_text(source)
        return Plugin(name="garden", hooks=(), migrations=name)

    yield make
    sys.modules.pop(name, None)


FIRST = 'import nothing_like_that\nrevision = "a"\ndown_revision = None\n'
SECOND = 'revision: str = "b"\ndown_revision: str | None = "a"\n'
OTHER = 'revision = "c"\ndown_revision = "a"\n'
MERGED = 'revision = "d"\ndown_revision = ("b", "c")\n'


@pytest.mark.parametrize(
    ("sources", "newest"),
    [((FIRST,), "a"), ((SECOND, FIRST), "b"), ((FIRST, SECOND, OTHER, MERGED), "d")],
)
def test_the_newest_revision_is_the_one_that_none_follows(
    sources: tuple[str, ...], newest: str, plugin: Callable[..., Plugin]
) -> None:
    made = plugin(*sources)

    assert state(newest, made) == "current"
    assert state(None, made) == "behind"
    assert state("z", made) == "newer"
    assert newest == "a" or state("a", made) == "behind"


def test_a_plugin_without_a_revision_yet_has_nothing_to_do(plugin: Callable[..., Plugin]) -> None:
    made = plugin('"""Not a revision."""\nother = 1\n')

    assert state(None, made) == "current"


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (
            (FIRST, SECOND, OTHER),
            r"garden have several newest revisions: b \(1\.py\) and c \(2\.py\); let one follow",
        ),
        ((SECOND,), r"garden have no revision a, which revision b \(0\.py\) follows; correct"),
        (("x = (\n",), r"0\.py:1 can't be read: SyntaxError: '\(' was never closed"),
        (("revision = str(1)\n",), "0.py must state its revisions as string literals"),
    ],
)
def test_an_ambiguous_or_computed_revision_is_refused(
    sources: tuple[str, ...], message: str, plugin: Callable[..., Plugin]
) -> None:
    with pytest.raises(StartError, match=message):
        state(None, plugin(*sources))
