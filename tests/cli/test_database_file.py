"""The file of a SQLite database: private, never replaced by an empty one, errors in one line."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from webtest import TestApp

from masthead.cli import main
from masthead.instance import DATA
from masthead.web.app import make_app

COMMAND = [sys.executable, "-c", "from masthead.cli import main; main()"]
READ_ONLY = "mount --bind {0} {0} && mount -o remount,ro,bind {0} && exec "
CRASH = """
import os
from masthead.instance import open_instance
from sqlalchemy import text

with open_instance({}).database.transaction() as session:
    session.execute(text("CREATE TABLE other (n INTEGER)"))
os._exit(0)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run commands on an instance in the folder ``data``."""
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path / "data"))
    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_all_files_of_an_instance_and_its_export_are_private(
    run: Callable[..., Result], tmp_path: Path, mask: int
) -> None:
    (tmp_path / "out").mkdir()
    before = os.umask(mask)
    try:
        assert run("db", "upgrade").exit_code == 0
        assert run("export", str(tmp_path / "out")).exit_code == 0
    finally:
        os.umask(before)

    made = [*(tmp_path / "data").rglob("*"), *(tmp_path / "out").rglob("*")]
    public = [each.name for each in made if stat.S_IMODE(each.stat().st_mode) & 0o077]
    assert public == []
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


@pytest.mark.parametrize("command", [["db", "upgrade"], ["user", "list"], ["serve"], ["worker"]])
def test_a_database_without_bytes_is_refused_in_one_line(
    run: Callable[..., Result], tmp_path: Path, command: list[str]
) -> None:
    run("db", "upgrade")
    file = tmp_path / "data" / "masthead.db"
    file.write_bytes(b"")

    result = run(*command)

    assert result.exit_code == 1
    error = result.stderr.splitlines()[-1]
    assert error.startswith(f"Error: the database can't be reached: {file} has 0 bytes")
    assert file.stat().st_size == 0


def test_an_application_creates_no_database(run: Callable[..., Result], tmp_path: Path) -> None:
    run("db", "upgrade")
    file = tmp_path / "data" / "masthead.db"
    file.rename(tmp_path / "elsewhere.db")
    app = TestApp(make_app({DATA.name: str(tmp_path / "data")}, {}))

    app.get("/readyz", status=503)
    assert not file.exists()
    (tmp_path / "elsewhere.db").rename(file)
    assert "unable to open" not in app.get("/readyz", status="*").text


@pytest.mark.slow
@pytest.mark.parametrize("crashed", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_a_read_only_disk_is_reported_in_one_line(tmp_path: Path, crashed: bool) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    unshare = [shutil.which("unshare") or "false", "--map-root-user", "--mount", "sh", "-c"]
    mounted = READ_ONLY.format(folder)
    if subprocess.run([*unshare, f"{mounted} true"], check=False).returncode:
        pytest.skip("this machine doesn't allow mounts")
    environ = {**os.environ, "MASTHEAD_DATA": str(folder / "data")}
    subprocess.run([*COMMAND, "db", "upgrade"], env=environ, check=True, capture_output=True)
    if crashed:
        # The files of the log stay, so the database can be read.
        subprocess.run([sys.executable, "-c", CRASH], env=environ, check=True)

    for data in ("data", "new"):
        ended = subprocess.run(
            [*unshare, f'{mounted} "$@"', "sh", *COMMAND, "serve", "--port", "0"],
            env={**environ, "MASTHEAD_DATA": str(folder / data)},
            capture_output=True,
            text=True,
            check=False,
        )

        assert ended.returncode == 1
        assert "Traceback" not in ended.stderr
        assert ended.stderr.splitlines()[-1].startswith("Error: ")
