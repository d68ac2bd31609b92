"""The page about hooks is complete and exact, and its examples are a working plugin."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from webtest import TestApp

from masthead import Plugin, hookspecs
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.plugins import collect, make_manager
from masthead.web.app import app_of

ROOT = Path(__file__).parents[2]
SPECS = dict(inspect.getmembers(hookspecs, lambda m: getattr(m, "masthead_spec", None) is not None))


@pytest.fixture
def example(docs: dict[str, Any]) -> Iterator[Plugin]:
    """The plugin that consists of the page's examples."""
    module = ModuleType("hooks_page")
    # SQLAlchemy looks up the annotations of mapped columns in the module.
    sys.modules[module.__name__] = module
    exec("\n".join(docs["docs/hooks.md"].blocks("python")), vars(module))
    yield Plugin(name="garden", hooks=(module,), base=module.Base)
    del sys.modules[module.__name__]


def test_each_hook_is_a_heading_with_its_arguments(docs: dict[str, Any]) -> None:
    signatures = {
        f"{name}({', '.join(inspect.signature(spec).parameters)})" for name, spec in SPECS.items()
    }

    headings = {h for h in docs["docs/hooks.md"].headings if h.startswith("masthead_")}
    assert headings == signatures


def test_each_hook_says_when_it_is_called_and_what_raising_does(docs: dict[str, Any]) -> None:
    text = docs["docs/hooks.md"].path.read_text("utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]

    for section in sections:
        words = re.findall(r"^\*\*(\w+)\*\*", section, flags=re.MULTILINE)
        has_arguments = "()" not in section.splitlines()[0]
        assert words == ["When", *["Arguments"] * has_arguments, "Return", "Raising"], section[:60]


def test_each_hook_is_listed_at_the_top(docs: dict[str, Any]) -> None:
    assert docs["docs/hooks.md"].first_cells == list(_in_order(docs["docs/hooks.md"].headings))


def test_each_hook_has_a_test_that_is_named_for_it() -> None:
    tests = [name for path in _test_files() for name in _functions(path)]

    missing = [
        hook
        for hook in SPECS
        if not any(
            name.startswith(f"test_hook_{hook.removeprefix('masthead_')}_") for name in tests
        )
    ]
    assert missing == []


def test_the_examples_are_a_plugin_that_works(example: Plugin, tmp_path: Path) -> None:
    ini = {"masthead.data": str(tmp_path), "masthead.garden.beds": "40"}
    opened = open_instance(ini, {}, {"core": core, "garden": example})
    app = TestApp(app_of(opened))

    assert app.get("/api/garden/beds").json == {"beds": 40}
    assert "plants" in opened.content_types
    assert {"garden.read", "garden.water"} <= opened.permissions.keys()
    assert "well" in [check.name for check in opened.checks]
    opened.close()


def test_the_examples_implement_every_hook(example: Plugin) -> None:
    manager = make_manager([example])
    group = click.Group()
    collect(manager, "masthead_commands", group=group)

    assert "water" in group.commands
    assert [name for name in SPECS if not getattr(manager.hook, name).get_hookimpls()] == []


def _in_order(headings: list[str]) -> Iterator[str]:
    return (h.partition("(")[0] for h in headings if h.startswith("masthead_"))


def _test_files() -> Iterator[Path]:
    yield from (ROOT / "core" / "tests").rglob("test_*.py")
    yield from (ROOT / "plugins").glob("*/tests/**/test_*.py")


def _functions(path: Path) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
