"""``masthead doctor`` names what only a running server meets, and a full disk of PostgreSQL."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import create_database, running_postgres
from tests.journeys.full_disk import CONTACT, fill

pytestmark = pytest.mark.slow

PROGRAM = [sys.executable, "-c", "from masthead.cli import main; main()"]
READ_ONLY = 'mount --bind {0} {0} && mount -o remount,bind,ro {0} && exec "$@"'
SIZE = 48
"""The MiB of the small disk: a new database of PostgreSQL has about 20."""


def findings(environ: dict[str, str]) -> dict[str, dict[str, str]]:
    """Run ``masthead doctor``, and return its errors and warnings by name."""
    ran = subprocess.run(
        [*PROGRAM, "doctor", "--json"], env=environ, capture_output=True, check=False, timeout=60
    )
    found = json.loads(ran.stdout)["checks"]
    return {each["name"]: each for each in found if each["text"]}


@pytest.mark.sqlite
def test_a_folder_that_only_the_server_may_not_write_is_named(site: Any, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    unshare = [shutil.which("unshare") or "false", "--mount"]
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    confined = [*unshare, *as_root, "sh", "-c", READ_ONLY.format(folder), "sh"]
    if subprocess.run([*confined, "true"], check=False).returncode:
        pytest.skip("this machine doesn't allow mounts")
    site.environ |= {"MASTHEAD_PLUGINS": "site media", "MASTHEAD_MEDIA_STORAGE": folder.as_uri()}
    site.wrapper = confined
    site.start()
    site.wait_until_ready()
    host, port = site.address.removeprefix("http://").rstrip("/").split(":")
    asked = site.environ | {"MASTHEAD_SERVER_HOST": host, "MASTHEAD_SERVER_PORT": port}

    found = findings(asked)["media.storage"]

    assert found["level"] == "error"
    assert found["text"].startswith(f"in the server at http://{host}:{port}: ")
    assert str(folder) in found["text"]
    assert "read-only" in found["text"].lower()
    assert found["remedy"]
    site.terminate()
    assert "media.storage" not in findings(asked)


@pytest.fixture
def server() -> Iterator[str]:
    """A PostgreSQL server for one test."""
    if os.environ.get(VARIABLE) != "postgresql":
        pytest.skip("needs PostgreSQL")
    with running_postgres() as url:
        yield url


@pytest.fixture
def small_disk(server: str) -> Iterator[Path]:
    """A small disk in the folder of the server."""
    home = Path(str(make_url(server).query["host"]))
    folder = home / "small"
    folder.mkdir()
    options = f"size={SIZE}m,uid={home.stat().st_uid},mode=700"
    mount = [shutil.which("mount") or "false", "-t", "tmpfs", "-o", options, "tmpfs", folder]
    if subprocess.run(mount, check=False).returncode:
        pytest.skip("this machine doesn't allow mounts")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_of_postgresql_is_named(site: Any, server: str, small_disk: Path) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    url = create_database(server, "site", options="TABLESPACE small")
    site.environ |= {"MASTHEAD_DATABASE_URL": url, "MASTHEAD_PLUGINS": "site news"}
    site.start()
    site.wait_until_ready()
    healthy = findings(site.environ)
    filler = small_disk / "filler"
    fill(filler)

    found = findings(site.environ)
    statuses = {site.ask("POST", "/api/contact", CONTACT).status for _ in range(40)}
    filler.unlink()

    assert set(found) - set(healthy) == {"database.space"}
    assert found["database.space"]["level"] == "error"
    assert "No space left on device" in found["database.space"]["text"]
    assert "free space" in found["database.space"]["remedy"]
    assert statuses <= {200, 503}
    assert "database.space" not in findings(site.environ)
    assert site.ask("POST", "/api/contact", CONTACT).status == 200
