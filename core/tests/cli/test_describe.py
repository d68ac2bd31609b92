from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from masthead.console.context import read_ini
from masthead.plugins import collect, installed, make_manager
from masthead.settings import check_declarations, read_settings


def test_plugins_are_listed_with_their_declarations(run: Callable[..., Result]) -> None:
    heading, core, *_ = run("plugins").stdout.splitlines()

    assert heading.split("  ")[0] == "PLUGIN"
    name, _version, enabled, types, resources, settings, distribution = core.split()
    assert (name, distribution, enabled) == ("core", "masthead-core", "yes")
    assert (types, resources) == ("-", "-")
    assert int(settings) >= 10


def test_settings_are_listed_with_where_each_comes_from(
    run: Callable[..., Result], environ: dict[str, str], tmp_path: Path
) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text("[app:main]\nmasthead.server.threads = 5\nmasthead.database.pool_size = 3\n")
    environ["MASTHEAD_DATABASE_POOL_SIZE"] = "4"

    lines = [line.split() for line in run("settings", "-c", config).stdout.splitlines()]

    assert ["masthead.server.threads", "file", "5"] in lines
    assert ["masthead.database.pool_size", "environment", "4"] in lines
    assert ["masthead.server.processes", "default", "1"] in lines


def test_a_secret_is_never_printed(
    run: Callable[..., Result], environ: dict[str, str], tmp_path: Path
) -> None:
    environ["MASTHEAD_DATABASE_URL"] = f"sqlite:///{tmp_path}/hush.db"

    result = run("settings")

    assert "hush" not in result.output
    assert ["masthead.database.url", "environment", "***"] in [
        line.split() for line in result.stdout.splitlines()
    ]


def test_the_printed_file_sets_nothing(run: Callable[..., Result], tmp_path: Path) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text(run("settings", "--ini").stdout)

    assert read_ini(config) == {"use": "egg:masthead-core"}


def test_the_printed_file_holds_every_setting_with_its_default(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    declared = check_declarations(collect(make_manager(installed().values()), "masthead_settings"))
    config = tmp_path / "masthead.ini"
    printed = run("settings", "--ini").stdout
    config.write_text(re.sub(r"^# (masthead\.\S+ =)", r"\1", printed, flags=re.MULTILINE))

    given = read_ini(config)

    assert {name for name in given if name.startswith("masthead.")} == set(declared)
    read, default = read_settings(declared, given, {}), read_settings(declared, {}, {})
    assert all(read[setting] == default[setting] for setting in declared.values())


def test_the_interface_is_printed_as_an_openapi_document(run: Callable[..., Result]) -> None:
    document = json.loads(run("openapi").stdout)

    assert document["openapi"].startswith("3.1")
    assert "/readyz" in document["paths"]


def test_the_settings_are_printed_as_a_page_with_accepted_values(
    run: Callable[..., Result],
) -> None:
    printed = run("settings", "--markdown").stdout

    assert "\n## core\n" in printed
    assert "| `masthead.server.port` | `6543` | Port to listen on" in printed
    assert "Takes one of staged, live. |" in printed


def test_the_actions_of_the_audit_log_are_listed_and_printed_as_a_page(
    run: Callable[..., Result],
) -> None:
    listed = run("audit-actions").stdout.splitlines()

    assert listed[0].split() == ["ACTION", "MEANING"]
    assert listed[1:] == sorted(listed[1:])
    assert any(re.fullmatch(r"user\.create +A user was created\.", line) for line in listed)
    assert "| `user.create` | A user was created. |" in run("audit-actions", "--markdown").stdout


def test_the_endpoints_are_printed_as_a_page_by_permission(
    run: Callable[..., Result],
) -> None:
    _, everybody, anyone_known, by_permission = run("openapi", "--markdown").stdout.split("\n## ")

    assert "| GET | `/api/tags` | List all tags by name | `limit` `offset` |" in everybody
    assert "| GET | `/api/staff/profile` |" in anyone_known
    assert "| POST | `/api/staff/tags` | Create a tag |  | `tags.write` |" in by_permission
