"""The functions that are called at the events of a running program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Events:
    """The functions that are called at events of a server or worker."""

    ready: Callable[[], None]
    """Called once signals are handled."""
    stopping: Callable[[], None] = _nothing
    """Called after a signal to stop, before the last work is finished."""
    reload: Callable[[], None] = _nothing
    """Called at SIGHUP."""
    alive: Callable[[], None] = _nothing
    """Called about once a second while the program does its work, and not while it hangs."""
