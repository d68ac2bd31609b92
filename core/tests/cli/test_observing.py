"""Servers and workers as an operator observes them: scrapes, logs, SIGHUP, maintenance."""

from __future__ import annotations

import json
import os
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

TOKEN = "0123456789abcdefghij"
HEALTHY = (
    'masthead_http_request_duration_seconds_count{method="GET",route="core.healthz",status="200"}'
)
INI = """\
[app:main]
use = egg:masthead-core
masthead.log.format = json
masthead.log.levels = masthead.worker:WARNING

[loggers]
keys = root

[handlers]
keys = file

[formatters]
keys = plain

[logger_root]
level = INFO
handlers = file

[handler_file]
class = FileHandler
args = ({path!r},)
formatter = plain

[formatter_plain]
format = %(message)s
"""


def read(address: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(address, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def until(happens: Callable[[], Any]) -> Any:
    """Wait for a true result, and return it."""
    for _ in range(600):
        if result := happens():
            return result
        time.sleep(0.05)
    raise AssertionError("it doesn't happen")


class Observed:
    """A server with several processes, and its scrapes."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.pid: int = server.process.pid
        self.address: str = server.wait_until_it_answers()
        found = re.search(r"Metrics are at (http://127\.0\.0\.1:\d+/metrics)", server.printed)
        assert found, server.printed
        self.metrics = found[1]

    def value(self, sample: str) -> float:
        status, text = read(self.metrics)
        assert status == 200
        found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
        return float(found[1]) if found else 0

    def roles(self) -> list[float]:
        return [self.value(f'masthead_processes{{role="{role}"}}') for role in ("server", "worker")]

    def status(self, path: str, method: str = "GET", **headers: str) -> int:
        return read(f"{self.address}{path}", method, **headers)[0]

    def children(self) -> list[int]:
        """Return the processes that the supervisor has forked, oldest first."""
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return sorted(map(int, listed.split()))


@pytest.mark.slow
def test_several_processes_are_observed_as_one(
    serve: Callable[..., Any],
    run: Callable[..., Result],
    environ: dict[str, str],
    tmp_path: Path,
) -> None:
    log, config = tmp_path / "log", tmp_path / "masthead.ini"
    config.write_text(INI.format(path=str(log)))
    environ |= {"MASTHEAD_METRICS_LISTEN": "0", "MASTHEAD_METRICS_TOKEN": TOKEN}
    observed = Observed(serve("-c", str(config), "--processes", "2"))

    check_scrapes(observed)
    check_reload(observed, log, config)
    check_maintenance(observed, run)

    assert observed.server.stop() == 0


def check_scrapes(observed: Observed) -> None:
    """The counts of all processes are added up, also of one that has ended, but not its gauges."""
    for _ in range(20):
        assert observed.status("/healthz") == 200
    until(lambda: observed.value(HEALTHY) == 20)
    until(lambda: observed.roles() == [2, 1])
    assert observed.value('masthead_pool_threads{pool="reads"}') == 16
    assert read(observed.metrics.replace("/metrics", "/other"))[0] == 404
    assert observed.status("/metrics") == 401
    assert observed.status("/metrics", Authorization=f"Bearer {TOKEN}") == 200

    victim = observed.children()[0]
    os.kill(victim, signal.SIGKILL)
    until(lambda: victim not in (found := observed.children()) and len(found) == 3)
    until(lambda: observed.roles() == [2, 1])
    assert observed.value(HEALTHY) == 20


def check_reload(observed: Observed, log: Path, config: Path) -> None:
    """SIGHUP reopens the log in all processes and ends none of them."""
    before, former = observed.children(), log.with_name("log.1")
    log.rename(former)
    config.write_text(config.read_text().replace("masthead.worker:WARNING", "masthead:WARNING"))
    observed.server.process.send_signal(signal.SIGHUP)
    until(log.exists)
    time.sleep(0.5)

    assert observed.children() == before
    assert observed.status("/healthz") == 200
    lines = [json.loads(line) for line in former.read_text().splitlines()]
    access = [line for line in lines if line["logger"] == "masthead.access"]
    assert {line["route"] for line in access} >= {"core.healthz", "core.metrics"}
    assert all(line["duration_ms"] >= 0 and line["request_id"] for line in access)
    assert not [line for line in lines if line["logger"].startswith("masthead.worker")]
    assert "masthead.access" not in log.read_text()


def check_maintenance(observed: Observed, run: Callable[..., Result]) -> None:
    """All processes obey the switch within a second, and a job runs at once afterwards."""
    assert "Maintenance is on" in run("maintenance", "on").stdout
    time.sleep(1.2)
    assert [observed.status("/api/auth/logout", "POST") for _ in range(8)] == [503] * 8
    assert observed.status("/readyz") == 200
    jobs = run("jobs")
    assert "audit.retention" in jobs.stdout
    assert "Maintenance is on" in jobs.stderr
    unknown = run("jobs", "--run", "audit.nothing").stderr
    assert unknown.endswith("\nError: There is no job audit.nothing\n")
    assert "is due" in run("jobs", "--run", "audit.retention").stdout
    runs = runs_of(run, "audit.retention")
    assert "off" in run("maintenance", "off").stdout
    until(lambda: runs_of(run, "audit.retention") == runs + 1)
    assert observed.status("/api/auth/logout", "POST") == 200


@pytest.mark.slow
def test_a_server_can_start_in_maintenance_and_a_single_one_reloads_too(
    serve: Callable[..., Any], run: Callable[..., Result]
) -> None:
    server = serve("--maintenance")
    address = server.wait_until_it_answers()
    assert "Maintenance is on" in server.printed
    server.process.send_signal(signal.SIGHUP)

    assert read(f"{address}/api/auth/logout", "POST")[0] == 503
    assert run("maintenance").stdout == "Maintenance is on\n"
    assert server.stop() == 0
    assert "The log is reloaded" in server.log


def runs_of(run: Callable[..., Result], job: str) -> int:
    (line,) = [line for line in run("jobs").stdout.splitlines() if line.startswith(job)]
    return int(line.split()[-3])
