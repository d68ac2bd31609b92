"""Run the work that holds images in memory, one image at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_executor = ThreadPoolExecutor(1, "masthead-images")


def run_serially(work: Callable[[], T]) -> T:
    """Run a function after all functions that were passed in before, and return its result.

    This bounds the memory of a process to the pixels of one image, not of one per thread. All work
    shares one thread, because allocators keep much of the memory that a thread has freed for that
    same thread.
    """
    return _executor.submit(work).result()
