"""Runs checks in threads, each within a time limit, and collects the findings."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy.exc import SQLAlchemyError

from masthead.checking.folders import database_file_trouble
from masthead.faults import describe, in_plugin
from masthead.instance import Check, Instance

logger = logging.getLogger(__name__)

OK: Final = "ok"
WARNING: Final = "warning"
ERROR: Final = "error"
SKIPPED: Final = "skipped"
Level = Literal["ok", "warning", "error", "skipped"]
_DATABASE, _MIGRATIONS = "database", "migrations"
"""The checks without which others can fail for no reason of their own."""


@dataclass(frozen=True)
class Finding:
    """The result of a check."""

    name: str
    level: Level
    text: str = ""
    """The problem; blank if there is none."""
    remedy: str = ""
    """The instruction that solves it."""


def run_checks(instance: Instance, checks: Sequence[Check], seconds: float) -> list[Finding]:
    """Run checks at the same time, and return a finding for each, in their order.

    A check that uses a database which can't be reached, or whose tables are out of date, is
    skipped: the check of the database says why.

    :param seconds: the time limit of each check; one that hangs doesn't delay the others.
    """
    results: dict[str, str | SQLAlchemyError | None] = {}

    def run(check: Check) -> None:
        results[check.name] = _result(check, instance)

    threads = [threading.Thread(target=run, args=(each,), daemon=True) for each in checks]
    deadline = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    late = f"no result in {seconds:g} seconds"
    found = {each.name: results.get(each.name, late) for each in checks}
    cause = next((name for name in (_DATABASE, _MIGRATIONS) if found.get(name)), None)
    return [_finding(instance, each, found[each.name], cause) for each in checks]


def reason_of(instance: Instance, error: SQLAlchemyError) -> str:
    """Return why the database can't be used, in one line that names its file."""
    return f"the database can't be reached: {database_file_trouble(instance) or _words(error)}"


def _words(error: SQLAlchemyError) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())


def _result(check: Check, instance: Instance) -> str | SQLAlchemyError | None:
    try:
        return check.trouble(instance)
    except SQLAlchemyError as error:
        return error
    # Checks are code of plugins, and an exception means that the check failed.
    except Exception as error:
        logger.debug("The check %s failed", check.name, exc_info=True)
        return f"can't be checked: {describe(error)}{in_plugin(error, instance.plugins)}"


def _finding(
    instance: Instance, check: Check, result: str | SQLAlchemyError | None, cause: str | None
) -> Finding:
    if result is None:
        return Finding(check.name, OK)
    if isinstance(result, SQLAlchemyError):
        if cause not in (None, check.name):
            return Finding(check.name, SKIPPED, f"needs the {cause}")
        if cause is None:
            result = f"can't be checked: {_words(result)}"
        else:
            result = reason_of(instance, result)
    text, remedy = " ".join(result.split()), check.remedy_for(result)
    return Finding(check.name, check.level, text, remedy)
