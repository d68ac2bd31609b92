"""Warnings at the start about parts that requests don't need, such as a relay that is down."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from masthead.checking.running import SKIPPED, run_checks
from masthead.instance import Check, Instance

logger = logging.getLogger(__name__)

_SECONDS = 15.0


def warn_in_background(instance: Instance, *, without: str = "") -> None:
    """Log a warning for each failed check that concerns the start, but not the readiness.

    :param without: the name of a check that isn't run.
    """
    checks = [
        each
        for each in instance.all_checks
        if (each.status or each.warn) and not (each.start or each.readiness or each.name == without)
    ]
    arguments = (instance, checks)
    thread = threading.Thread(target=_warn, args=arguments, name="start checks", daemon=True)
    thread.start()


def _warn(instance: Instance, checks: Sequence[Check]) -> None:
    for found in run_checks(instance, checks, _SECONDS):
        if found.text and found.level != SKIPPED:
            remedy = f"; {found.remedy}" if found.remedy else ""
            logger.warning("The check %s: %s%s", found.name, found.text, remedy)
