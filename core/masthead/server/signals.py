"""Temporary signal handlers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

RELOAD: signal.Signals | None = getattr(signal, "SIGHUP", None)
"""The signal that reloads the log; Windows has none."""


@contextmanager
def handling(
    handler: Callable[[int, FrameType | None], object], *numbers: signal.Signals
) -> Iterator[None]:
    """Handle signals with ``handler`` inside the block; only in the main thread."""
    former = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, previous in former.items():
            signal.signal(number, previous)
