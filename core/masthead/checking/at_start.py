"""Warnings at the start about parts that requests don't need, such as a storage without rights."""

from __future__ import annotations

import logging
import threading

from masthead.checking.running import SKIPPED, run_checks
from masthead.instance import Instance

logger = logging.getLogger(__name__)

_SECONDS = 15.0


def warn_in_background(instance: Instance) -> None:
    """Log a warning for each check of ``GET /status`` that fails and doesn't concern readiness."""
    thread = threading.Thread(target=_warn, args=(instance,), name="start checks", daemon=True)
    thread.start()


def _warn(instance: Instance) -> None:
    checks = [check for check in instance.checks if not check.readiness]
    for found in run_checks(instance, checks, _SECONDS):
        if found.text and found.level != SKIPPED:
            remedy = f"; {found.remedy}" if found.remedy else ""
            logger.warning("The check %s: %s%s", found.name, found.text, remedy)
