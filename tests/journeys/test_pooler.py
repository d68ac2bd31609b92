"""A server behind PgBouncer in transaction mode, which changes connections between transactions."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from masthead.testing.databases import VARIABLE
from masthead.testing.programs import free_port

pytestmark = pytest.mark.slow

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
CONNECTIONS = 5
CONFIGURATION = """
[databases]
* = host={folder} user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
"""
_numbers = count()


@pytest.fixture
def direct(site: Any) -> str:
    """The URL of PostgreSQL itself; blank on SQLite."""
    return str(site.environ.get("MASTHEAD_DATABASE_URL", ""))


@pytest.fixture
def pooler(site: Any) -> Iterator[Any]:
    """Let an instance on PostgreSQL use PgBouncer, and return the URL through it."""
    if os.environ.get(VARIABLE) != "postgresql" or PROGRAM is None:
        pytest.skip("needs PostgreSQL and PgBouncer")
    direct = urlsplit(site.environ["MASTHEAD_DATABASE_URL"])
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="pooler") as folder:
        Path(folder).chmod(0o755)
        ini = Path(folder, "pgbouncer.ini")
        server = direct.query.removeprefix("host=").replace("%2F", "/")
        ini.write_text(CONFIGURATION.format(folder=server, port=port, connections=CONNECTIONS))
        # PgBouncer refuses to run as root, and only this user can reach the server's socket.
        user = Path(server).stat().st_uid if os.geteuid() == 0 else None
        with Path(folder, "log").open("wb") as log:
            running = subprocess.Popen([PROGRAM, ini], stdout=log, stderr=log, user=user)
        url = urlunsplit(("postgresql", f"postgres@127.0.0.1:{port}", direct.path, "", ""))
        site.environ |= {"MASTHEAD_DATABASE_URL": url, "MASTHEAD_DATABASE_PREPARED": "false"}
        try:
            _wait_for(port, Path(folder, "log"))
            yield url
            site.close()
        finally:
            running.terminate()
            running.wait(15)


def _wait_for(port: int, log: Path) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text())


def mixed(site: Any, token: str) -> list[Callable[[], Any]]:
    """Return requests that read, write and fail, for staff and for visitors."""

    def post(path: str, **body: str) -> Callable[[], Any]:
        return lambda: site.ask("POST", path, body, token)

    number = next(_numbers)
    return [
        lambda: site.ask("GET", f"/api/news?limit=7&nothing={number}"),
        lambda: site.ask("GET", f"/api/staff/news?search=article+{number}", token=token),
        lambda: site.ask("GET", "/api/staff/news", token=token),
        lambda: site.ask("GET", "/readyz"),
        post("/api/staff/news", title=f"An article {number}", body="<p>Text</p>"),
        post("/api/staff/tags", name=f"tag {number}"),
        post("/api/staff/tags", name="one tag"),
    ]


def test_mixed_requests_on_few_connections(site: Any, pooler: str) -> None:
    site.environ |= {"MASTHEAD_DATABASE_LOCK_TIMEOUT": "2"}
    site.start()
    site.wait_until_ready()
    token = site.log_in("admin", site.printed_value("password"))

    with ThreadPoolExecutor(12) as threads:
        wanted = [request for _ in range(20) for request in mixed(site, token)]
        statuses = Counter(threads.map(lambda request: request().status, wanted))
        # One of the twenty that create the same tag succeeds.
        assert statuses == {200: 6 * 20 + 1, 400: 19}, (statuses, site.log)
        # A limit that a request sets must reach no other client of the pooler.
        with ThreadPoolExecutor(CONNECTIONS) as others:
            shown = list(others.map(_limits, [pooler] * 20))
        assert set(shown) == {("0", "0", "UTC")}

    with psycopg.connect(pooler, prepare_threshold=None) as holder:
        holder.execute("LOCK TABLE core_tag IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        assert site.ask("POST", "/api/staff/tags", {"name": "late"}, token).status == 503
        assert time.monotonic() - began < 10
    assert site.ask("POST", "/api/staff/tags", {"name": "late"}, token).status == 200


def test_the_doctor_finds_that_the_pooler_keeps_notifications(
    site: Any, direct: str, pooler: str
) -> None:
    def level(listen: str) -> str:
        program = [sys.executable, "-c", "from masthead.cli import main; main()", "doctor"]
        environ = site.environ | {"MASTHEAD_DATABASE_LISTEN": listen}
        told = subprocess.run(
            [*program, "--json"], env=environ, capture_output=True, text=True, check=False
        )
        checks = json.loads(told.stdout)["checks"]
        return str(next(each["level"] for each in checks if each["name"] == "database.listen"))

    assert level(pooler) == "warning"
    assert level(direct) == "ok"


def _limits(url: str) -> Any:
    with psycopg.connect(url, prepare_threshold=None) as connection:
        return connection.execute(
            "SELECT current_setting('lock_timeout'), current_setting('statement_timeout'),"
            " current_setting('TimeZone'), pg_sleep(0.05)"
        ).fetchone()[:3]
