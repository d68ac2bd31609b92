"""Faults under a running server: a database that is stopped or frozen, and a full disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import control, create_database, freeze, running_postgres
from tests.journeys.full_disk import CONTACT, fill

pytestmark = pytest.mark.slow

SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"
CACHED = "/api/news"
_numbers = count()
PROGRAM = [sys.executable, "-c", "from masthead.cli import main; main()"]
FULL_DISK = """
import contextlib, json, pathlib, sqlite3, subprocess, sys
data, *program = sys.argv[1:]
doctor = [*program, "doctor", "--json"]
def find_on_a_full_disk():
    with open(data + "/filler", "ab", 0) as filler, contextlib.suppress(OSError):
        while filler.write(bytes(4096)) == 4096:
            pass
    return json.loads(subprocess.run(doctor, check=False, capture_output=True).stdout)["checks"]
subprocess.run([*program, "db", "upgrade"], check=True, capture_output=True)
with contextlib.closing(sqlite3.connect(data + "/masthead.db")) as held:
    held.execute("SELECT count(*) FROM core_worker").fetchone()
    used = find_on_a_full_disk()
print(json.dumps([used, find_on_a_full_disk()]))
"""
"""Fills the disk, and prints the findings while another process uses the database, and later."""
SMALL_DISK = 'mkdir -p {0} && mount -t tmpfs -o size=12m tmpfs {0} && exec "$@"'


@pytest.fixture
def server() -> Iterator[str]:
    """A PostgreSQL server that the test may stop and freeze."""
    if os.environ.get(VARIABLE) != "postgresql":
        pytest.skip("needs PostgreSQL")
    with running_postgres() as url:
        try:
            yield url
        finally:
            with suppress(OSError):
                freeze(url, thaw=True)


@pytest.fixture
def warm(site: Any, server: str) -> Any:
    """A server with a warm pool and a cached list, which reads the content version each time."""
    site.environ |= {
        "MASTHEAD_DATABASE_URL": create_database(server, "site"),
        "MASTHEAD_AUTH_SECRETS": SECRET,
        "MASTHEAD_CACHE_STRICT": "true",
    }
    site.start()
    site.wait_until_ready()
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: site.ask("GET", "/api/tags"), range(8)))
    site.ask("GET", CACHED)
    return site


def missed() -> str:
    """Return an address that no answer is stored for."""
    return f"/api/news?limit=7&nothing={next(_numbers)}"


def timed(site: Any, *request: Any) -> tuple[Any, float]:
    began = time.monotonic()
    answer = site.ask(*request)
    return answer, time.monotonic() - began


def check_outage(site: Any, token: str) -> None:
    """Check the answers while the database is known to be away."""
    answer, seconds = timed(site, "GET", CACHED)
    assert (answer.status, answer.json) == (200, [])
    assert "Age" in answer.headers
    assert "Warning" not in answer.headers
    assert seconds < 1
    for request in (("GET", missed()), ("GET", "/api/staff/news", None, token)):
        answer, seconds = timed(site, *request)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert seconds < 1
    assert site.ask("POST", "/api/contact", CONTACT).status == 503
    # The result of the checks is kept for one second.
    end = time.monotonic() + 1.5
    while (ready := site.ask("GET", "/readyz")).status == 200 and time.monotonic() < end:
        time.sleep(0.05)
    assert ready.status == 503
    assert ready.json["error"].startswith("database: ")
    assert site.ask("GET", "/healthz").status == 200


def seconds_until_fresh(site: Any) -> float:
    """Wait for an answer from the database, and return how long that takes."""
    began = time.monotonic()
    while site.ask("GET", missed()).status != 200 or site.ask("GET", "/readyz").status != 200:
        assert time.monotonic() - began < 20
        time.sleep(0.05)
    return time.monotonic() - began


def test_a_database_that_is_stopped_or_frozen_costs_no_cached_answer(
    warm: Any, server: str
) -> None:
    token = warm.log_in("admin", warm.printed_value("password"))

    control(server, "stop", "-m", "fast")
    warm.ask("GET", missed())
    time.sleep(0.5)
    check_outage(warm, token)
    control(server, "start")
    assert seconds_until_fresh(warm) < 8

    warm.ask("GET", CACHED)
    freeze(server)
    with ThreadPoolExecutor(8) as threads:
        requests = [("GET", CACHED), ("GET", missed()), ("POST", "/api/contact", CONTACT)]
        waiting = [threads.submit(timed, warm, *request) for request in requests]
        time.sleep(0.2)
        answer, seconds = timed(warm, "GET", "/healthz")
        assert (answer.status, seconds < 1) == (200, True)
        (cached, first), (refused, second), (written, third) = [each.result() for each in waiting]
    assert (cached.status, refused.status, written.status) == (200, 503, 503)
    assert "Age" in cached.headers
    assert max(first, second, third) < 10
    check_outage(warm, token)
    freeze(server, thaw=True)
    assert seconds_until_fresh(warm) < 8

    assert warm.terminate() == 0
    logged = [line.split(maxsplit=2)[2] for line in warm.log.splitlines() if " INFO " not in line]
    logged = [line for line in logged if "vulnerable" not in line]  # about an old Python
    begin, end = "ERROR masthead.db.outage", "WARNING masthead.db.outage"
    assert [line.split(":")[0] for line in logged] == [begin, end] * 2, logged


@pytest.fixture
def with_small_disk(tmp_path: Path) -> list[str]:
    """The beginning of a command that sees a small disk in the folder ``disk``."""
    if os.environ.get(VARIABLE) == "postgresql":
        pytest.skip("needs SQLite")
    unshare = [shutil.which("unshare") or "false", "--map-root-user", "--mount"]
    if subprocess.run([*unshare, "mount", "-t", "tmpfs", "a", tmp_path], check=False).returncode:
        pytest.skip("this machine doesn't allow mounts")
    return [*unshare, "sh", "-c", SMALL_DISK.format(tmp_path / "disk"), "sh"]


@pytest.fixture
def small(site: Any, with_small_disk: list[str], tmp_path: Path) -> Path:
    """The folder of a small disk, on which a server keeps SQLite."""
    folder = tmp_path / "disk"
    site.environ |= {"MASTHEAD_DATA": str(folder / "data"), "MASTHEAD_PLUGINS": "site news"}
    site.wrapper = with_small_disk
    site.start()
    # The disk is mounted for the server only.
    return Path("/proc", str(site.pid), "root") / folder.relative_to("/")


@pytest.mark.sqlite
def test_a_full_disk_refuses_writes_and_loses_nothing(site: Any, small: Path) -> None:
    token = site.log_in("admin", site.printed_value("password"))
    written = [site.ask("POST", "/api/contact", CONTACT).status for _ in range(3)]

    filler = small / "filler"
    fill(filler)
    written += [site.ask("POST", "/api/contact", CONTACT).status for _ in range(20)]
    refused = site.ask("POST", "/api/contact", CONTACT)
    shown, reads = site.ask("GET", "/readyz"), site.ask("GET", "/api/news?limit=3")
    filler.unlink()
    time.sleep(1.1)
    written += [site.ask("POST", "/api/contact", CONTACT).status]

    assert Counter(written)[503]
    assert written[-1] == 200
    assert (refused.status, refused.headers["Retry-After"]) == (503, "60")
    assert refused.json["error"].startswith("The disk is full")
    assert (shown.status, reads.status) == (200, 200)
    assert "its disk is full; reads go on" in shown.json["checks"]["writes"]
    assert site.ask("GET", "/readyz").json["checks"]["writes"] == "ok"
    stored = site.ask("GET", "/api/staff/contact-messages", None, token).json
    assert len(stored) == written.count(200)
    assert site.log.count("ERROR masthead.db.refused_writes: The disk is full") == 1
    assert "Traceback" not in site.log


@pytest.mark.sqlite
def test_doctor_names_a_full_disk_as_the_only_cause(
    with_small_disk: list[str], tmp_path: Path
) -> None:
    data = str(tmp_path / "disk" / "data")
    environ = os.environ | {"MASTHEAD_DATA": data, "MASTHEAD_PLUGINS": "site media"}
    command = [*with_small_disk, sys.executable, "-c", FULL_DISK, data, *PROGRAM]

    run = subprocess.run(command, env=environ, capture_output=True, check=True, timeout=60)
    used, unused = ({each["name"]: each for each in found} for found in json.loads(run.stdout))

    assert "its disk is full; reads go on" in used["writes"]["text"]
    assert "the folder of the database can't be written: its disk is full" in used["worker"]["text"]
    assert used["worker"]["remedy"] == "see the check writes"
    assert "no space left on device" in used["media.storage"]["text"]
    assert used["media.storage"]["remedy"].startswith("free space")
    assert f"{data} can't be written: its disk is full" in unused["database"]["text"]
