"""Fixtures: core and events."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead import Instance, Plugin
from masthead.cli import main
from masthead.testing import Client, Desk
from masthead_events.plugin import plugin as events


@pytest.fixture
def plugins() -> list[Plugin]:
    return [events]


@pytest.fixture
def desk(app: Client) -> Desk:
    """Return an editor's desk for events."""
    return Desk(app, "events").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json


@pytest.fixture
def import_events(
    instance: Instance, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Result]:
    """Import JSON lines by the command line, as published events."""
    assert instance.database
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "events")
    monkeypatch.setenv("MASTHEAD_AUTH_SECRETS", "4d0f2c77b1e94a8c9f63a1d85be27c06")
    command = ["import", "events", "-", "--publish"]
    return lambda lines: CliRunner().invoke(main, command, lines)
