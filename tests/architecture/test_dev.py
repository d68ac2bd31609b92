"""The messages of dev.py about missing tools, and its updates of the environment."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a copy of the files that dev.py reads, without an environment."""
    for name in ["dev.py", "pyproject.toml", "constraints.txt"]:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def dev(
    workspace: Path, *arguments: str, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    command = [python, str(workspace / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def mark_as_made(workspace: Path, python: str = sys.executable) -> None:
    """Write the stamp that dev.py writes after it has made the environment."""
    script = "import dev; dev.STAMP.write_text(dev._fingerprint())"
    (workspace / ".dev/venv").mkdir(parents=True, exist_ok=True)
    subprocess.run([python, "-c", script], cwd=workspace, check=True)


def test_a_python_without_pip_is_told_in_one_line(workspace: Path) -> None:
    venv.create(workspace / "bare", with_pip=False)
    python = str(workspace / "bare/bin/python")

    result = dev(workspace, "test", python=python)

    assert result.returncode == 1
    assert result.stderr == f"dev.py: {python} has no pip (on Debian: apt install python3-pip)\n"


def test_a_missing_pin_of_uv_is_told_in_one_line(workspace: Path) -> None:
    (workspace / "constraints.txt").write_text("pyramid==2.1\n")

    result = dev(workspace, "lock")

    assert (result.returncode, result.stderr) == (1, "dev.py: constraints.txt has no line for uv\n")


def test_an_unknown_program_is_told_in_one_line(workspace: Path) -> None:
    mark_as_made(workspace)

    result = dev(workspace, "run", "no-such-program")

    assert result.returncode == 1
    assert result.stderr == "dev.py: no-such-program: No such file or directory\n"


def test_arguments_and_exit_code_pass_through_run(workspace: Path) -> None:
    mark_as_made(workspace)

    result = dev(workspace, "run", sys.executable, "-c", "import sys; sys.exit(len(sys.argv))", "x")

    assert result.returncode == 2


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "constraints.txt", "core/pyproject.toml", "plugins/x/pyproject.toml"]
)
def test_a_changed_declaration_makes_the_environment_anew(workspace: Path, name: str) -> None:
    venv.create(workspace / "bare", with_pip=False)
    python = str(workspace / "bare/bin/python")
    mark_as_made(workspace, python)
    unchanged = dev(workspace, "run", "true", python=python)

    path = workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# changed\nuv==0\n")
    changed = dev(workspace, "run", "true", python=python)

    assert (unchanged.returncode, unchanged.stderr) == (0, "")
    assert "has no pip" in changed.stderr


def test_help_says_what_each_command_does(workspace: Path) -> None:
    result = dev(workspace, "--help")

    for command in ["serve", "test", "lint", "bench", "docs", "build", "version", "lock", "run"]:
        assert f"  {command} " in result.stdout
