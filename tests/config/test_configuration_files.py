from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from masthead.cli import main
from masthead.testing.programs import free_port

CONFIG = Path(__file__).parents[2] / "config"
TOO_LONG = 30
MASTHEAD = [sys.executable, "-c", "from masthead.cli import main; main()"]
PSERVE = [sys.executable, "-c", "from pyramid.scripts.pserve import main; main()"]


def test_production_ini_is_what_settings_ini_prints() -> None:
    printed = CliRunner().invoke(main, ["settings", "--ini"]).stdout

    kept = (CONFIG / "production.ini").read_text("utf-8")
    assert kept == printed, "print it again: masthead settings --ini > config/production.ini"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("development.ini", marks=pytest.mark.exhaustive), "production.ini"]
)
def test_pserve_is_ready_once_the_database_is_and_a_worker_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in [variable for variable in os.environ if variable.startswith("MASTHEAD_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    listen = f"127.0.0.1:{free_port()}"
    file = copy(name, tmp_path / "config", listen)

    with running([*PSERVE, file]):
        before = readiness(listen)
        with urllib.request.urlopen(f"http://{listen}/healthz") as answer:
            named = answer.headers["Server"]
        upgraded = CliRunner().invoke(main, ["db", "upgrade", "-c", file])
        with running([*MASTHEAD, "worker", "-c", file]) as worker:
            assert worker.stderr is not None
            assert any(b"The worker has" in line for line in worker.stderr)
            after = readiness(listen, wanted=200)

    assert upgraded.exit_code == 0
    assert (before, after) == (503, 200)
    assert named is None
    assert (tmp_path / "var" / "masthead.db").exists()


@contextmanager
def running(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process, and end it even if the test fails."""
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.terminate()


def copy(name: str, folder: Path, listen: str) -> str:
    """Copy the file with another port, because its port can be in use; return the new path."""
    folder.mkdir()
    content = (CONFIG / name).read_text("utf-8")
    assert content.count("\nlisten = 127.0.0.1:6543\n") == 1
    (folder / name).write_text(content.replace("127.0.0.1:6543\nthreads", f"{listen}\nthreads"))
    return str(folder / name)


def readiness(listen: str, wanted: int | None = None) -> int:
    """Return the first status of ``/readyz``, or wait until it is the wanted one."""
    deadline = time.monotonic() + TOO_LONG
    while True:
        late = time.monotonic() > deadline
        try:
            with urllib.request.urlopen(f"http://{listen}/readyz") as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                if late or wanted in (None, error.code):
                    return error.code
        except OSError:
            if late:
                raise
        time.sleep(0.05)
