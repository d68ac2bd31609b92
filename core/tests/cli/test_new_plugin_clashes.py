"""``masthead new-plugin`` refuses names whose addresses or schemas others have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest
from click.testing import Result

INSTALLED = """\
from masthead import PUBLIC, SUCCESS, Plugin, endpoint, hookimpl


@endpoint(
    "GET", "/api/{path}", name="{name}.show", permission=PUBLIC, returns=SUCCESS, summary="Show"
)
def show(_request):
    return {{"success": True}}


class Hooks:
    @hookimpl
    def masthead_routes(self):
        return [show]


plugin = Plugin("{name}", hooks=(Hooks(),))
"""
"""The module of an installed plugin."""


@pytest.mark.parametrize(
    ("name", "kind", "line"),
    [
        ("jobs", "content", "two different schemas are named Job"),
        ("user", "resource", "two different schemas are named User"),
        ("tag", "plain", "two different schemas are named Tag"),
        ("tags", "plain", "core and tags both declare GET /api/tags"),
    ],
)
def test_a_plugin_that_clashes_with_core_leaves_no_files(
    run: Callable[..., Result], tmp_path: Path, name: str, kind: str, line: str
) -> None:
    result = run("new-plugin", name, tmp_path / "new", "--kind", kind)

    assert result.exit_code == 1
    [message] = result.stderr.splitlines()
    assert line in message
    assert not (tmp_path / "new").exists()


@pytest.fixture
def install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str, str], None]]:
    """Return a function that installs a plugin with an endpoint GET /api/<path>."""
    folder = tmp_path / "site"
    monkeypatch.syspath_prepend(str(folder))
    before = {*sys.modules}

    def run(name: str, path: str) -> None:
        info = folder / f"installed_{name}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: installed-{name}\nVersion: 1\n"
        )
        points = f"[masthead.plugins]\n{name} = installed_{name}:plugin\n"
        (info / "entry_points.txt").write_text(points)
        (folder / f"installed_{name}.py").write_text(INSTALLED.format(name=name, path=path))
        invalidate_caches()

    yield run
    for each in {*sys.modules} - before:
        if each.startswith("installed_"):
            del sys.modules[each]


def test_a_plugin_that_clashes_with_an_installed_one_leaves_no_files(
    run: Callable[..., Result], tmp_path: Path, install: Callable[[str, str], None]
) -> None:
    install("shed", "recipes")

    result = run("new-plugin", "recipes", tmp_path / "new")

    assert result.exit_code == 1
    [message] = result.stderr.splitlines()
    assert "recipes doesn't work together with the installed plugins: " in message
    assert "GET /api/recipes" in message
    assert not (tmp_path / "new").exists()


def test_installed_plugins_that_clash_with_each_other_prevent_no_new_plugin(
    run: Callable[..., Result], tmp_path: Path, install: Callable[[str, str], None]
) -> None:
    install("shed", "tools")
    install("hut", "tools")

    result = run("new-plugin", "recipes", tmp_path / "new")

    assert result.exit_code == 0, result.output
    [message] = result.stderr.splitlines()
    assert message.startswith("Checked without the other installed plugins: ")
    assert "GET /api/tools" in message
