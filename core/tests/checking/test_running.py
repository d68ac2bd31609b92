"""Checks run at the same time, within a limit, and none stops the others."""

from __future__ import annotations

import threading
import time

from sqlalchemy.exc import OperationalError

from masthead import Check, Instance
from masthead.checking.running import run_checks


def fail(_instance: Instance) -> str:
    raise ValueError("odd\nand long")


def lose(_instance: Instance) -> str:
    raise OperationalError("SELECT 1", None, Exception("connection refused"))


def test_each_check_has_a_finding_within_the_limit(instance: Instance) -> None:
    ended = threading.Event()
    checks = [
        Check("slow", lambda _: str(ended.wait(10)), remedy="wait"),
        Check("well", lambda _: None, remedy="nothing"),
        Check("dry", lambda _: "the well\nis dry", level="warning", remedy="dig"),
        Check("odd", fail),
    ]
    began = time.monotonic()

    found = run_checks(instance, checks, 0.5)

    ended.set()
    assert time.monotonic() - began < 5
    assert [(each.name, each.level, each.text, each.remedy) for each in found] == [
        ("slow", "error", "no result in 0.5 seconds", "wait"),
        ("well", "ok", "", ""),
        ("dry", "warning", "the well is dry", "dig"),
        ("odd", "error", "can't be checked: ValueError: odd and long", ""),
    ]


def test_what_needs_the_database_is_skipped_while_that_is_away(instance: Instance) -> None:
    away = [Check("database", lose), Check("jobs", lose), Check("disk", lambda _: "full")]

    found = {each.name: (each.level, each.text) for each in run_checks(instance, away, 5)}

    assert found == {
        "database": ("error", "the database can't be reached: connection refused"),
        "jobs": ("skipped", "needs the database"),
        "disk": ("error", "full"),
    }
    [alone] = run_checks(instance, away[1:2], 5)
    assert (alone.level, alone.text) == ("error", "can't be checked: connection refused")
