"""The metrics of the process itself, and the thread that sets gauges every few seconds."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Literal

from masthead.telemetry import metrics
from masthead.telemetry.metrics import Counter, Gauge

logger = logging.getLogger(__name__)

Role = Literal["server", "worker"]

_SECONDS = 2.0
"""The time between two samples; the gauges of other processes are at most so old."""

_PROCESSES = Gauge("masthead_processes", "Processes that run.", ("role",))
_MEMORY = Gauge(
    "masthead_process_resident_memory_bytes",
    "Memory of all processes, without the part that is swapped out.",
    ("role",),
)
_CPU = Counter("masthead_process_cpu_seconds", "Processor time of all processes.", ("role",))
_THREADS = Gauge("masthead_process_threads", "Threads of all processes.", ("role",))


def start(role: Role) -> None:
    """Record the metrics of this process from now on; repeated calls do nothing."""
    if not metrics.start():
        return
    metrics.add_sampler(_Sampler(role).sample)
    metrics.sample()
    threading.Thread(target=_sample_for_ever, name="metrics", daemon=True).start()


class _Sampler:
    def __init__(self, role: Role) -> None:
        self._role = role
        self._cpu = 0.0
        self._lock = threading.Lock()

    def sample(self) -> None:
        with self._lock:
            cpu = time.process_time()
            _CPU.add(self._role, amount=max(0.0, cpu - self._cpu))
            self._cpu = cpu
        _PROCESSES.set(1, self._role)
        _THREADS.set(threading.active_count(), self._role)
        _MEMORY.set(_resident_bytes(), self._role)


def _sample_for_ever() -> None:
    while metrics.is_on():
        try:
            metrics.sample()
        # A sampler may be a plugin's.
        except Exception:
            logger.exception("The metrics of this process can't be read")
        time.sleep(_SECONDS)


def _resident_bytes() -> int:
    """Return the resident memory of this process; where only its peak is known, the peak."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
