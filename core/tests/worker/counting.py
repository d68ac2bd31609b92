"""A plugin whose jobs count their runs, for workers in processes of their own."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead import Chore, Instance, Job, Plugin, hookimpl

MOMENT = timedelta(milliseconds=5)


def count(session: Session) -> None:
    session.execute(text("UPDATE counting_total SET value = value + 1"))
    time.sleep(random.uniform(0, 0.01))


def count_slowly(session: Session) -> None:
    trace("begun")
    time.sleep(0.5)
    count(session)


def count_endlessly(session: Session) -> None:
    trace("begun")
    count(session)
    time.sleep(60)


def linger(_instance: Instance, may_go_on: Callable[[], bool]) -> None:
    trace("begun")
    while may_go_on():
        time.sleep(0.02)
    trace("ended")


def trace(what: str) -> None:
    with Path(os.environ["COUNTING_TRACE"]).open("a") as file:
        file.write(f"{what} {os.getpid()}\n")


JOBS = {
    "count": [Job(f"counting.{number}", MOMENT, count) for number in range(4)],
    "count slowly": [Job("counting.slow", MOMENT, count_slowly)],
    "count endlessly": [Job("counting.hung", MOMENT, count_endlessly)],
    "linger": [Chore("counting.linger", MOMENT, linger)],
}


class Hooks:
    @hookimpl
    def masthead_jobs(self) -> list[Any]:
        return JOBS[os.environ["COUNTING"]]


plugin = Plugin(name="counting", hooks=(Hooks(),))
