"""An instance for commands, in a data folder of its own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from masthead.cli import main


def _point_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MASTHEAD_DATA", str(folder))


@pytest.fixture(scope="session")
def _upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("upgraded") / "data"
    with pytest.MonkeyPatch.context() as monkeypatch:
        _point_at(folder, monkeypatch)
        assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    return folder


@pytest.fixture
def upgraded(_upgraded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a new instance with an upgraded database, which commands use."""
    folder = tmp_path / "data"
    shutil.copytree(_upgraded, folder)
    _point_at(folder, monkeypatch)
    return folder
