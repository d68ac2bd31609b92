"""A program that runs three workers and repeatedly kills and replaces one of them."""

from __future__ import annotations

import os
import random
import signal
import sys
import time

from sqlalchemy import text

# Loaded once here instead of in each worker.
# Imported for its tables.
import masthead.core_plugin  # noqa: F401
from masthead.cli import main
from masthead.db import Database

KILLS = 20


def start() -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        main(["worker"])
    except SystemExit as end:
        os._exit(int(str(end.code)))
    os._exit(70)


def end(pid: int, number: int) -> int:
    os.kill(pid, number)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def wait_until_all_work(workers: list[int]) -> None:
    database = Database(os.environ["MASTHEAD_DATABASE_URL"])
    while True:
        with database.read() as connection:
            known = set(connection.execute(text("SELECT pid FROM core_worker")).scalars())
            (total,) = connection.execute(text("SELECT value FROM counting_total")).one()
        if known.issuperset(workers) and total > 20:
            database.dispose()
            return
        time.sleep(0.05)


workers = [start() for _ in range(3)]
wait_until_all_work(workers)
for _ in range(KILLS):
    time.sleep(random.uniform(0, 0.2))
    end(workers.pop(random.randrange(3)), signal.SIGKILL)
    workers.append(start())
wait_until_all_work(workers)
codes = [end(pid, signal.SIGTERM) for pid in workers]
sys.exit(any(codes))
