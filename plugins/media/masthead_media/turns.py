"""One image at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_thread = ThreadPoolExecutor(1, "masthead-images")


def in_turn(work: Callable[[], T]) -> T:
    """Do what holds an image in memory, when nothing else does.

    A process has room for the pixels of one image, not for those of one for each of its threads.
    All work is done in a thread of its own, as allocators keep much of what a thread gave back for
    when that thread needs it again.

    :returns: what ``work`` returns; what it raises, this raises.
    """
    return _thread.submit(work).result()
