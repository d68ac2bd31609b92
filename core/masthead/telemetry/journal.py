"""The journal of systemd: recognise its stream, and give lines their priority."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import TextIO

_PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
"""The priorities of syslog by the lowest level that has them; lower levels have 7."""


def is_journal(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream leads to the journal of systemd, as ``JOURNAL_STREAM`` says."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        # The stream is no file, or closed.
        return False
    return environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def with_priority(text: str, level: int) -> str:
    """Return lines that begin with the priority of a level, as in sd-daemon(3)."""
    priority = next((number for least, number in _PRIORITIES if level >= least), 7)
    return "".join(f"<{priority}>{line}" for line in text.splitlines(keepends=True))
