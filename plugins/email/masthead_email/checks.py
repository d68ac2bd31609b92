"""The result of a check of the mail configuration."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckResult:
    """The result of one check."""

    ok: bool
    text: str
