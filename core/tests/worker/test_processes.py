from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

KILLING = Path(__file__).with_name("killing.py")
MASTHEAD = ("-c", "from masthead.cli import main; main()")
WORKER = (*MASTHEAD, "worker")
RUNS = "SELECT sum(runs) FROM core_job WHERE name LIKE 'counting.%'"
TOTAL = "SELECT value FROM counting_total"


def test_workers_that_are_killed_at_any_moment_lose_and_double_nothing(workplace: Any) -> None:
    program = workplace.start("count", KILLING)

    assert program.wait(60) == 0, workplace.log

    assert workplace.ask(TOTAL) > 20
    assert workplace.ask(RUNS) == workplace.ask(TOTAL)
    assert "Traceback" not in workplace.log


def test_a_chore_is_one_workers_until_that_is_killed_or_stopped(workplace: Any) -> None:
    first = workplace.start("linger", *WORKER)
    workplace.wait_until(lambda: workplace.traces)
    second = workplace.start("linger", *WORKER)
    workplace.wait_until(lambda: len(workplace.pids()) == 2)

    # Longer than the lease, which the first worker renews.
    time.sleep(1.5)
    assert workplace.traces == [f"begun {first.pid}"]

    first.kill()
    first.wait()
    workplace.wait_until(lambda: len(workplace.traces) == 2)
    assert workplace.traces[1] == f"begun {second.pid}"

    assert workplace.stop(second) == 0
    assert workplace.traces[2] == f"ended {second.pid}"
    assert workplace.ask(RUNS) == 1


def test_the_chore_of_a_killed_worker_waits_for_no_lease_on_its_machine(workplace: Any) -> None:
    first = workplace.start("linger", *WORKER, lease=3600)
    workplace.wait_until(lambda: workplace.traces)

    first.kill()
    first.wait()
    second = workplace.start("linger", *WORKER, lease=3600)

    workplace.wait_until(lambda: len(workplace.traces) == 2)
    assert workplace.traces[1] == f"begun {second.pid}"
    assert workplace.stop(second) == 0


def test_a_stopped_worker_finishes_its_current_job(workplace: Any) -> None:
    worker = workplace.start("count slowly", *WORKER)
    workplace.wait_until(lambda: workplace.traces)

    assert workplace.stop(worker) == 0

    assert len(workplace.traces) == workplace.ask(TOTAL) == workplace.ask(RUNS)
    assert workplace.pids() == set()
    assert "The worker has stopped" in workplace.log


def test_a_job_that_takes_longer_than_a_stop_may_has_not_happened(workplace: Any) -> None:
    worker = workplace.start("count endlessly", *WORKER)
    workplace.wait_until(lambda: workplace.traces)

    assert workplace.stop(worker) == 1

    assert workplace.ask(RUNS) == workplace.ask(TOTAL) == 0
    assert "Error: the worker didn't stop within 3 s" in workplace.log


def test_a_server_of_several_processes_replaces_its_worker(workplace: Any) -> None:
    server = workplace.start("count", *MASTHEAD, "serve", "--port=0", "--processes=2")
    workplace.wait_until(lambda: workplace.ask(TOTAL) > 3)
    # The parent records the first heartbeat on behalf of the worker.
    workplace.wait_until(lambda: workplace.pids() - {server.pid})
    (worker,) = workplace.pids()

    os.kill(worker, signal.SIGKILL)

    workplace.wait_until(lambda: workplace.pids() != {worker})
    assert len(workplace.pids()) == 1
    assert workplace.stop(server) == 0
    assert workplace.pids() == set()
    assert workplace.ask(RUNS) == workplace.ask(TOTAL)
