"""The commands of docs/deploy.md use the same database as the service."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from masthead.checking.folders import user_name

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "config" / "deploy"
GUIDE = (ROOT / "docs" / "deploy.md").read_text("utf-8")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLONE = "/usr/local/src/masthead"
PACKAGES = {
    "curl": "curl",
    "sudo": "sudo",
    "nginx": "nginx",
    "createuser": "postgresql",
    "createdb": "postgresql",
    "pg_ctlcluster": "postgresql",
    "pg_basebackup": "postgresql",
    "haproxy": "haproxy",
    "socat": "socat",
    "promtool": "prometheus",
    "git": "git",
}
"""The Debian packages of the programs that the guide runs."""
COMMAND = re.compile(r"^(\S*/)?masthead (?=db|user|export|import|worker)", re.MULTILINE)


@pytest.fixture
def installed(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the guide's script as this user, with paths in a temporary folder."""
    program = tmp_path / "bin" / "masthead"
    program.parent.mkdir()
    code = "from masthead.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
    program.chmod(0o755)
    script = (DEPLOY / "masthead.sh").read_text("utf-8")
    (tmp_path / "production.ini").write_text("[app:main]\n")
    for ours, theirs in {
        "!= masthead ]": f"!= {user_name()} ]",
        "/opt/masthead/bin/masthead": str(program),
        "/etc/masthead/environment": str(tmp_path / "environment"),
        "/etc/masthead/production.ini": str(tmp_path / "production.ini"),
        "/var/lib/masthead": str(tmp_path / "data"),
    }.items():
        assert ours in script
        script = script.replace(ours, theirs)

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", "-c", script.partition("\n")[2], "masthead", *arguments],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.slow
def test_a_command_of_the_guide_works_on_the_database_of_the_environment_file(
    installed: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    named = tmp_path / "named.db"
    secrets = "b7e23ec29af22b0b4e41da31e868d572 2c26b46b68ffc68ff99b453c1d304134"
    lines = f"MASTHEAD_DATABASE_URL='sqlite:///{named}'\nMASTHEAD_AUTH_SECRETS='{secrets}'\n"
    (tmp_path / "environment").write_text(lines)

    done = installed("db", "upgrade")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith(f" in sqlite:///{named}")
    assert named.exists()
    assert not (tmp_path / "var").exists()
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.slow
def test_without_that_file_it_works_in_the_data_folder_of_the_unit(
    installed: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = installed("db", "upgrade")

    assert done.stdout.rstrip().endswith(f" in sqlite:///{tmp_path}/data/masthead.db")


@pytest.mark.slow
def test_variables_of_the_caller_apply_instead_of_those_of_the_unit(
    installed: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "environment").write_text("MASTHEAD_DATABASE_URL='postgresql://x@/production'\n")
    copy = tmp_path / "Ada's $copy"

    done = installed("db", "upgrade", MASTHEAD_DATA=str(copy), MASTHEAD_DATABASE_URL="")

    assert (done.returncode, done.stderr) == (0, "")
    assert (copy / "masthead.db").exists()
    assert not (tmp_path / "data").exists()


def test_the_guide_gives_no_command_that_passes_the_environment_by() -> None:
    unit = (DEPLOY / "masthead.service").read_text("utf-8")
    commands = [found[1] for found in COMMAND.finditer(GUIDE)]

    assert len(commands) >= 4
    assert set(commands) == {None}
    assert "sudo -u masthead" not in GUIDE
    assert "config/deploy/masthead.sh /usr/local/bin/masthead" in GUIDE
    assert "EnvironmentFile=-/etc/masthead/environment\n" in unit
    assert "Environment=MASTHEAD_DATA=/var/lib/masthead\n" in unit


def shown_commands() -> list[str]:
    """Return the commands of the guide in its order."""
    return [line for block in BLOCK.findall(GUIDE) for line in block.splitlines()]


def test_the_guide_installs_each_program_before_it_runs_it() -> None:
    installed, missing, run = set[str](), [], set[str]()
    for line in shown_commands():
        if line.startswith("apt install "):
            installed |= set(line.split()[2:])
            continue
        for word in set(line.split()) & set(PACKAGES):
            run.add(word)
            if PACKAGES[word] not in installed:
                missing.append((word, line))

    assert missing == []
    assert run == set(PACKAGES)


def test_the_guide_installs_files_that_the_clone_has() -> None:
    here, missing, found = Path(CLONE), [], 0
    for line in shown_commands():
        words = line.split()
        if words[0] == "cd":
            here = Path(words[1].replace(CLONE, str(ROOT)))
        elif words[0] == "install" and "-d" not in words:
            named = [word for word in words[1:-1] if "." in word or "/environment" in word]
            sources = [word for word in named if not word.startswith("/dev")]
            found += len(sources)
            missing += [word for word in sources if not (here / word).exists()]

    assert missing == []
    assert found >= 15


def test_the_guide_makes_the_folder_of_backups_before_it_is_used() -> None:
    using = [
        line for line in shown_commands() if re.search(r"/var/backups/masthead|backup\.timer", line)
    ]

    assert using[0] == "install -d -o masthead -g masthead -m 700 /var/backups/masthead"
    assert len(using) >= 3


def test_the_machines_without_masthead_run_no_command_of_it() -> None:
    others = [
        block
        for block in BLOCK.findall(GUIDE)
        if re.search(r"^apt install (haproxy|prometheus|postgresql pgbouncer)", block, re.MULTILINE)
    ]

    assert len(others) == 3
    assert [block for block in others if re.search(r"^masthead ", block, re.MULTILINE)] == []


def test_the_guide_names_each_file_of_a_deployment_on_several_machines() -> None:
    names = {path.name for path in (DEPLOY / "cluster").iterdir()}

    assert len(names) >= 10
    assert {name for name in names if f"`{name}`" not in GUIDE} == set()
