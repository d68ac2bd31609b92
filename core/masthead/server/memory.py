"""The memory that malloc keeps of a process, although nothing uses it any more.

glibc gives threads heaps of their own, up to eight per core, and returns only the end of a heap to
the system. A server with many threads therefore seems to use several times the memory that it
needs. Other C libraries, such as musl, are left alone.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time

_ENVIRONMENT = ("GLIBC_TUNABLES", "MALLOC_")
"""How the variables begin by which a deployer configures malloc."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # numbers in malloc.h
_ARENAS = 1  # Python's global lock serialises most calls anyway
_LARGE = 128 * 1024  # bytes of a block that is returned as soon as it is free
_SECONDS = 30.0  # between two returns of what is free inside of heaps
_FREE_AT_END = 1024 * 1024  # bytes at the end of a heap that stay


def return_free_memory(seconds: float = _SECONDS) -> None:
    """Let this process return free memory to the system; call it before it starts threads.

    :param seconds: the time between two returns of the free parts of heaps.
    """
    library = _glibc()
    if library is None:
        return
    if not any(name.startswith(_ENVIRONMENT) for name in os.environ):
        library.mallopt(_ARENA_MAX, _ARENAS)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, _FREE_AT_END)
    threading.Thread(target=_trim, args=(library, seconds), name="memory", daemon=True).start()


def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "gnu_get_libc_version") else None


def _trim(library: ctypes.CDLL, seconds: float) -> None:
    while True:
        time.sleep(seconds)
        library.malloc_trim(0)
