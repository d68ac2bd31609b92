"""Backups and restores that are killed, or whose disk is full."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from masthead import Instance
from masthead.auth.tokens import SECRETS
from masthead.backup.writing import Backup
from masthead.instance import DATA, DATABASE_URL, PLUGINS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("picture")]

KILLED = """
import json, os, signal, sys
from pathlib import Path
from masthead.backup.restoring import restore_backup
from masthead.backup.writing import make_backup
from masthead.instance import open_instance

ini, work, path, at = json.loads(sys.argv[1]), *sys.argv[2:]

def report(what, done, total):
    if what == at:
        os.kill(os.getpid(), signal.SIGKILL)

{"backup": make_backup, "restore": restore_backup}[work](
    open_instance(ini, {}), Path(path), report
)
"""


def kill(ini: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, "-c", KILLED, json.dumps(ini), *arguments]
    killed = subprocess.run(command, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL


@pytest.fixture
def ini(instance: Instance) -> dict[str, str]:
    names = (DATA, DATABASE_URL, SECRETS)
    values = {each.name: instance.settings[each] for each in names}
    return {
        **values,
        SECRETS.name: " ".join(instance.settings[SECRETS]),
        PLUGINS.name: " ".join(each.name for each in instance.plugins if each.name != "core"),
    }


@pytest.mark.parametrize("at", ["media", "database", "database: checksum"])
def test_a_killed_backup_leaves_no_file_and_the_next_one_cleans_up(
    ini: dict[str, str], back_up: Callable[..., Backup], tmp_path: Path, at: str
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()

    kill(ini, "backup", str(folder), at)

    assert [each.name[:17] for each in folder.iterdir()] == [".masthead-backup."]
    path = back_up(folder).path
    assert [*folder.iterdir()] == [path]


def test_a_killed_restore_leaves_no_database_and_can_be_repeated(
    back_up: Callable[..., Backup], place: Any
) -> None:
    path = back_up().path

    kill(place.settings, "restore", str(path), "media")

    assert not place.has_database()
    place.run("restore", path)
    assert len([*(place.folder / "media").rglob("*.png")]) == 1


@pytest.mark.parametrize("kilobytes", [40, 400])
def test_a_full_disk_leaves_no_file(
    instance: Instance, ini: dict[str, str], tmp_path: Path, kilobytes: int
) -> None:
    if instance.database.dialect == "postgresql" and kilobytes > 40:
        pytest.skip("the dump is smaller")
    folder = tmp_path / "backups"
    folder.mkdir()
    variables = {name.upper().replace(".", "_"): value for name, value in ini.items()}
    program = "from masthead.cli import main; main()"
    command = shlex.join([sys.executable, "-c", program, "backup", str(folder)])

    # A limit for each file, which fails like a full disk.
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f {kilobytes}; exec {command}"],
        # Python would store incomplete bytecode of its modules.
        env={**variables, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 1
    [line] = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert "no backup was made" in line or "the database can't be copied" in line
    assert "Traceback" not in done.stderr
    assert [*folder.iterdir()] == []
