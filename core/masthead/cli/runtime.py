"""A warning about a Python with a known vulnerability that concerns Masthead."""

from __future__ import annotations

import logging
import sys

logger = logging.getLogger(__name__)

_FIRST_SAFE = {(3, 11): 16, (3, 12): 14, (3, 13): 14, (3, 14): 6}
"""The first micro release of each Python whose normalisation takes linear time (CVE-2026-3276)."""


def vulnerable_python(major: int, minor: int, micro: int) -> str | None:
    """Return a message about a vulnerable release of Python; None for any other."""
    first_safe = _FIRST_SAFE.get((major, minor), 0)
    if micro >= first_safe:
        return None
    return (
        f"Python {major}.{minor}.{micro} is vulnerable to crafted text (CVE-2026-3276) unless its"
        f" distributor has patched it; {major}.{minor}.{first_safe} or newer is safe"
    )


def warn_of_vulnerable_python() -> None:
    """Log a warning if this Python is vulnerable."""
    message = vulnerable_python(*sys.version_info[:3])
    if message is not None:
        logger.warning("%s", message)
