"""The reference pages explain everything that core and plugins declare."""

from __future__ import annotations

import inspect
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from _pytest.fixtures import FixtureFunctionDefinition

import masthead
from masthead import testing
from masthead.cli.pages import audit_actions_page, endpoints_page, settings_page
from masthead.instance import Instance
from masthead.plugins import collect, installed, make_manager
from masthead.testing import plugin as fixtures
from masthead.worker.jobs import jobs_of
from tools.reference import page

ROOT = Path(__file__).parents[2]


def test_the_page_of_settings_is_what_the_command_prints(
    docs: dict[str, Any], own_plugins: list[str]
) -> None:
    own = [plugin for plugin in installed().values() if plugin.name in ("core", *own_plugins)]

    printed = settings_page(collect(make_manager(own), "masthead_settings"))

    kept = docs["docs/settings.md"].path.read_text("utf-8")
    assert kept == printed, "print it again: masthead settings --markdown > docs/settings.md"


def test_the_page_of_endpoints_is_what_the_command_prints(
    docs: dict[str, Any], instance: Instance
) -> None:
    printed = endpoints_page(instance.endpoints)

    kept = docs["docs/endpoints.md"].path.read_text("utf-8")
    assert kept == printed, "print it again: masthead openapi --markdown > docs/endpoints.md"


def test_the_page_of_audit_actions_is_what_the_command_prints(
    docs: dict[str, Any], instance: Instance
) -> None:
    printed = audit_actions_page(instance.audit_actions.values())

    kept = docs["docs/audit-actions.md"].path.read_text("utf-8")
    told = "print it again: masthead audit-actions --markdown > docs/audit-actions.md"
    assert kept == printed, told


def test_the_reference_of_names_is_what_the_tool_writes(docs: dict[str, Any]) -> None:
    kept = docs["docs/reference.md"].path.read_text("utf-8")

    assert kept == page(), "write it again: python3 dev.py run python -m tools.reference"


def test_every_permission_is_explained(docs: dict[str, Any], instance: Instance) -> None:
    assert instance.permissions.keys() - set(docs["docs/permissions.md"].code) == set()


def test_every_job_is_explained(docs: dict[str, Any], instance: Instance) -> None:
    # The page names the first of several jobs that share one task.
    names = {re.sub(r"-\d+$", "-1", job.name) for job in jobs_of(instance)}

    assert names - set(docs["docs/operations.md"].code) == set()


def test_every_public_name_is_explained_and_no_other(docs: dict[str, Any]) -> None:
    offered = {*masthead.__all__, *testing.__all__, *_fixtures()}

    assert set(docs["docs/plugin-api.md"].first_cells) == offered


def test_every_command_is_explained_and_no_other(
    docs: dict[str, Any], own_plugins: list[str]
) -> None:
    root = click.Group("masthead")
    own = [plugin for plugin in installed().values() if plugin.name in ("core", *own_plugins)]
    collect(make_manager(own), "masthead_commands", group=root)

    assert set(docs["docs/commands.md"].first_cells) == set(_commands(root, "masthead"))


def test_every_command_of_dev_py_is_shown(docs: dict[str, Any]) -> None:
    commands = runpy.run_path(str(ROOT / "dev.py"))["COMMANDS"]

    shown = "\n".join(docs["docs/development.md"].blocks("console"))
    assert [name for name in commands if f"python3 dev.py {name}" not in shown] == []


def test_every_variable_of_the_tests_is_explained_and_no_other(docs: dict[str, Any]) -> None:
    folders = (ROOT / name for name in ("core", "plugins", "tests"))
    code = [path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py")]
    used = {name for text in code for name in re.findall(r"\bMASTHEAD_TEST_[A-Z]+\b", text)}

    told = docs["docs/development.md"].first_cells
    assert {name for name in told if name.startswith("MASTHEAD_")} == used


def _fixtures() -> list[str]:
    found = inspect.getmembers(fixtures, lambda each: isinstance(each, FixtureFunctionDefinition))
    return [name for name, _ in found if not name.startswith("_")]


def _commands(command: click.Command, path: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield path
        return
    for name, each in command.commands.items():
        yield from _commands(each, f"{path} {name}")
