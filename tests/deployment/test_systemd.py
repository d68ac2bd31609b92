"""The shipped units under a real systemd: starts, faults, the sandbox, the socket, the backup."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.deployment.client import Client
from tests.deployment.units import (
    PROGRAM,
    STARTED,
    WATCHDOG,
    Deployment,
    answers,
    installed,
    unusable,
    wait_until,
)

pytestmark = [pytest.mark.exhaustive, pytest.mark.any_database]

RESTART = 5.0  # RestartSec
UPLOAD = "/api/staff/upload/image"


@pytest.fixture(scope="module")
def units() -> Iterator[Deployment]:
    """The installed units, with an instance and an administrator, whose units are stopped."""
    if reason := unusable():
        pytest.skip(reason)
    with installed() as made:
        assert made.systemctl("start", made.name) == 0
        yield made


@pytest.fixture
def server(units: Deployment) -> Iterator[Deployment]:
    """A server and a worker that run."""
    units.configure()
    assert units.systemctl("start", units.name, units.worker) == 0
    yield units
    units.systemctl("stop", units.socket, units.name, units.worker)
    units.systemctl("reset-failed", units.socket, units.name, units.worker)


@pytest.fixture
def passed(server: Deployment) -> Deployment:
    """A server behind a socket of systemd."""
    server.systemctl("stop", server.name)
    assert server.systemctl("start", server.socket, server.name) == 0
    return server


def picture(kind: str) -> bytes:
    """Return an image that no other call returns."""
    file = BytesIO()
    Image.frombytes("RGB", (400, 300), os.urandom(400 * 300 * 3)).save(file, kind)
    return file.getvalue()


@contextmanager
def asking(client: Client) -> Iterator[Counter[str]]:
    """Send requests during the block, and count the statuses and the errors."""
    counts: Counter[str] = Counter()
    stopped = threading.Event()

    def ask() -> None:
        while not stopped.wait(0.02):
            try:
                result = str(client.ask("GET", "/healthz").status)
            except OSError as error:
                result = type(error).__name__
            counts[result] += 1

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield counts
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


def reloads(server: Deployment, unit: str, pid: int) -> bool:
    return "The log is reloaded" in server.journal(unit, f"_PID={pid}")


def test_a_start_returns_when_the_server_answers(server: Deployment) -> None:
    server.systemctl("stop", server.name)

    assert server.systemctl("start", server.name) == 0

    assert server.client.ask("GET", "/readyz").status == 200


@pytest.mark.parametrize("reloaded", ["server", "worker"])
def test_a_reload_ends_no_process(server: Deployment, reloaded: str) -> None:
    unit = server.worker if reloaded == "worker" else server.name
    main = server.main_pid(unit)
    processes = [main, *server.children(main)]

    assert server.systemctl("reload", unit) == 0

    for pid in processes:
        # The unit sends a signal, and waits for no process.
        wait_until(partial(reloads, server, unit, pid), STARTED)
    assert [server.main_pid(unit), *server.children(main)] == processes


def test_the_socket_refuses_no_connection_during_a_restart(passed: Deployment) -> None:
    before = passed.main_pid(passed.name)
    with asking(passed.client) as counts:
        assert passed.systemctl("restart", passed.name) == 0

    assert passed.main_pid(passed.name) != before
    assert set(counts) == {"200"}


def test_a_killed_program_is_started_again(server: Deployment) -> None:
    for unit in (server.name, server.worker):
        pid = server.main_pid(unit)
        os.kill(pid, signal.SIGKILL)

        assert RESTART <= server.wait_for_another(unit, pid) + 1 < RESTART + STARTED
    assert answers(server.client)


def test_a_killed_process_of_the_server_is_replaced_without_systemd(server: Deployment) -> None:
    main = server.main_pid(server.name)
    first, *others = server.children(main)

    os.kill(first, signal.SIGKILL)

    wait_until(lambda: len(set(server.children(main)) - {first}) == 2, STARTED)
    assert set(others) < set(server.children(main))
    assert server.main_pid(server.name) == main
    assert f"({first}) was ended by signal 9" in server.journal(server.name, "--priority=err")


@pytest.mark.parametrize("hung", ["server", "one process of the server", "worker"])
def test_a_program_that_hangs_is_started_again(server: Deployment, hung: str) -> None:
    unit = server.worker if hung == "worker" else server.name
    main = server.main_pid(unit)

    os.kill(server.children(main)[0] if "process" in hung else main, signal.SIGSTOP)

    assert WATCHDOG / 2 < server.wait_for_another(unit, main) - RESTART < 2 * WATCHDOG + STARTED
    # The journal shows where each thread was.
    assert "/masthead/server/" in server.journal(unit)


def test_a_wrong_setting_ends_a_service_for_good(server: Deployment) -> None:
    server.configure(database_pool_size="abc")
    for unit in (server.name, server.worker):
        assert server.systemctl("restart", unit) != 0

        time.sleep(RESTART + 1)
        assert server.show(unit, "ActiveState") == "failed"
        assert server.show(unit, "ExecMainStatus") == "78"
        told = server.journal(unit, "--priority=err").splitlines()[-1]
        assert told.startswith("Error: masthead.database.pool_size: expected a whole number")


def test_a_missing_configuration_ends_a_service_for_good(server: Deployment) -> None:
    server.config.unlink()

    assert server.systemctl("restart", server.name) != 0

    time.sleep(RESTART + 1)
    assert server.show(server.name, "ActiveState") == "failed"
    assert f"'{server.config}' does not exist" in server.journal(server.name)


def test_connections_start_a_service_with_a_wrong_setting_a_few_times(passed: Deployment) -> None:
    passed.configure(database_pool_size="abc")
    passed.systemctl("stop", passed.name)
    with socket.create_connection(("127.0.0.1", passed.port)):
        wait_until(lambda: passed.show(passed.socket, "Result") == "trigger-limit-hit", 2 * STARTED)
    passed.configure()

    assert passed.systemctl("start", passed.socket, passed.name) == 0
    assert answers(passed.client)
    assert passed.show(passed.socket, "ActiveState") == "active"


def test_connections_wait_for_a_service_whose_database_is_away(passed: Deployment) -> None:
    away = "postgresql://masthead:x@127.0.0.1:1/masthead"
    passed.configure(database_url=away, auth_secrets=os.urandom(32).hex())
    with asking(passed.client) as counts:
        passed.systemctl("restart", passed.name)
        wait_until(lambda: int(passed.show(passed.name, "NRestarts")) >= 4, 8 * RESTART + STARTED)
        passed.configure()
        wait_until(lambda: passed.show(passed.name, "ActiveState") == "active", STARTED)

    assert passed.show(passed.socket, "Result") == "success"
    assert set(counts) == {"200"}


def test_the_sandbox_lets_images_be_decoded_and_stored(server: Deployment) -> None:
    staff = server.log_in()
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        stored = staff.upload(UPLOAD, "a", picture(kind))

        assert stored.status == 200, stored.body
        assert staff.ask("GET", f"{stored.json['url']}?w=320").status == 200
    status = Path(f"/proc/{server.main_pid(server.name)}/status").read_text()
    for line in ("CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in status


def test_a_folder_that_the_sandbox_hides_is_named_until_a_drop_in_allows_it(
    server: Deployment,
) -> None:
    staff = server.log_in()
    server.configure(media_storage=f"file://{server.media}")
    server.systemctl("restart", server.name)

    assert staff.upload(UPLOAD, "a", picture("PNG")).status == 500
    checks = staff.ask("GET", "/status").json["checks"]
    reason = f"can't write to {server.media}: read-only file system"
    assert reason in checks["media.storage"]
    assert reason in server.journal(server.name, "--priority=warning")

    server.drop_in(f"{server.name}.service", "media", "Service", f"ReadWritePaths={server.media}")
    server.systemctl("restart", server.name)
    assert staff.upload(UPLOAD, "a", picture("PNG")).status == 200
    assert staff.ask("GET", "/status").json["checks"]["media.storage"] == "ok"


def test_the_lines_of_the_log_have_their_fields_and_priorities(server: Deployment) -> None:
    server.configure(log_format="json")
    server.systemctl("restart", server.name)

    server.client.ask("GET", "/api/nowhere")

    wait_until(lambda: "/api/nowhere" in server.journal(server.name), STARTED)
    lines = server.journal(server.name, "--output=json").splitlines()
    [entry] = [each for each in map(json.loads, lines) if "/api/nowhere" in each["MESSAGE"]]
    assert entry["PRIORITY"] == "6"
    assert json.loads(entry["MESSAGE"])["status"] == 404


def send_many(port: int, batches: int) -> int:
    """Send batches of requests on one connection, and return the number of answers."""
    batch = 50
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for _ in range(batches):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * batch)
            received = b""
            while received.count(b'{"status":"ok"}') < batch:
                received += connection.recv(65536)
    return batch * batches


def test_the_journal_keeps_the_lines_of_many_requests(server: Deployment) -> None:
    # By default, it takes 40,000 at most in 30 seconds.
    with ThreadPoolExecutor(4) as threads:
        sent = sum(threads.map(partial(send_many, server.port), [300] * 4))

    wait_until(lambda: server.journal(server.name).count('"GET /healthz') >= sent, STARTED)


def test_a_backup_can_be_restored(server: Deployment, tmp_path: Path) -> None:
    assert server.systemctl("start", server.backup) == 0

    [backup] = server.backups.glob("*.zip")
    environ = {**os.environ, "MASTHEAD_DATA": str(tmp_path / "restored")}
    restore = [PROGRAM, "restore", backup, "-c", server.config]
    restored = subprocess.run(restore, env=environ, capture_output=True, text=True, check=False)
    assert restored.returncode == 0, restored.stderr
    users = subprocess.run([PROGRAM, "user", "list"], env=environ, capture_output=True, check=True)
    assert b"admin" in users.stdout


def test_the_timer_starts_the_backup_at_night(units: Deployment) -> None:
    assert units.systemctl("start", units.timer) == 0

    assert units.show(units.timer, "Unit") == f"{units.backup}.service"
    following = units.show(units.timer, "NextElapseUSecRealtime")
    assert " 03:15:00" <= following[14:23] <= " 03:45:59", following
