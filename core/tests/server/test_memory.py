"""Free memory goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"),
    reason="needs glibc",
)

PROGRAM = """
import re, threading, time
from pathlib import Path
from masthead.server.memory import return_free_memory

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

return_free_memory(0.05)
before, last = resident(), []

def use():
    blocks = [bytearray(20_000) for _ in range(1000)]
    last.append(blocks.pop())
    barrier.wait()

barrier = threading.Barrier(8)
threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
deadline = time.monotonic() + 20
while resident() > before + 30 and time.monotonic() < deadline:
    time.sleep(0.02)
print(resident() - before)
"""
"""Uses 160 MB in eight threads and keeps the last block of each, then prints the growth in MiB."""


def test_a_process_returns_memory_that_its_threads_have_freed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )

    assert int(done.stdout) <= 30
