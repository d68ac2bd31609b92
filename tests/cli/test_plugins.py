from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from masthead.cli import main


@pytest.mark.parametrize(
    ("plugin", "content_types", "resources"),
    [
        ("core", "-", "-"),
        ("news", "news", "-"),
        ("people", "-", "people"),
        ("actions", "actions", "proposals"),
        ("feeds", "-", "-"),
    ],
)
def test_plugins_are_listed_with_the_kinds_of_things_that_they_bring(
    tmp_path: Path, plugin: str, content_types: str, resources: str
) -> None:
    environ = {"MASTHEAD_DATA": str(tmp_path)}

    heading, *lines = CliRunner().invoke(main, ["plugins"], env=environ).stdout.splitlines()

    assert re.split("  +", heading)[3:] == [
        "CONTENT TYPES",
        "RESOURCES",
        "SETTINGS",
        "DISTRIBUTION",
    ]
    found = {line.split()[0]: line.split()[2:5] for line in lines}
    assert found[plugin] == ["yes", content_types, resources]
