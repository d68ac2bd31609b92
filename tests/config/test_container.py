"""The container file installs all that Masthead and its commands need.

It is read and not built, because a build needs the network.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.config.test_cluster_files import program, run

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "config/deploy/Containerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
GUIDE = (ROOT / "docs" / "deploy.md").read_text("utf-8")
VERSIONS = {"bookworm": "15", "trixie": "17"}
"""The version of PostgreSQL in each release of Debian."""


def arguments(instruction: str) -> list[str]:
    """Return the arguments of all instructions of a kind."""
    found = [line.partition(" ")[::2] for line in LINES]
    return [rest for name, rest in found if name == instruction]


def test_it_has_the_programs_of_postgresql_that_a_backup_runs() -> None:
    (image,), (version,) = arguments("FROM"), arguments("ARG")
    release = re.fullmatch(r"python:3\.\d+-slim-(\w+)", image)
    script = " ".join(arguments("RUN"))
    assert release

    of_debian = VERSIONS[release[1]]
    assert version == f"POSTGRESQL={of_debian}"
    assert f'if [ "$POSTGRESQL" != {of_debian} ]; then' in script
    assert '"postgresql-client-$POSTGRESQL"' in script
    assert '"./core[postgresql]"' in script
    assert f"`pg_restore` of PostgreSQL {of_debian}." in GUIDE


def test_the_shell_accepts_its_commands() -> None:
    for script in arguments("RUN"):
        run(program("sh"), "-n", "-c", script)


def test_it_copies_what_exists() -> None:
    sources = [words.split()[0] for words in arguments("COPY")]

    assert len(sources) == 3
    assert [each for each in sources if not (ROOT / each).exists()] == []


def test_data_and_backups_are_volumes_of_its_user() -> None:
    script = " ".join(arguments("RUN"))
    (volumes,), (user,) = arguments("VOLUME"), arguments("USER")

    assert volumes.split() == ["/data", "/backups"]
    assert f"--home-dir /data --create-home {user}" in script
    assert f"install -d -o {user} -m 700 /backups" in script
    assert "exec masthead masthead backup --incremental --keep 14 /backups\n" in GUIDE
