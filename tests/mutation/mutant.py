"""A mutant, and the tests that can kill it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
LEAKS = [str(TESTS / "leaks" / "test_leaks.py")]
MATRIX = [str(TESTS / "authorisation")]


@dataclass(frozen=True)
class Mutant:
    """A guard that is broken while the tests run."""

    name: str
    tests: Sequence[str]
    """The arguments of pytest that select the tests, one of which has to fail."""
    broken: Callable[[], Any]
    """Return the context manager in which the guard is broken."""
