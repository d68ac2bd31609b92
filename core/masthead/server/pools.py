"""The threads of the server, in pools: no kind of request takes the threads of another."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher

from masthead.server.options import Options
from masthead.telemetry.metrics import Gauge, Histogram, add_sampler

_THREADS_END = 1  # seconds in which idle threads can end
_WAITING = 100  # requests that may wait for each thread of a pool
_WAITING_UPLOADS = 10  # fewer, because their bodies take space on the disk

_QUEUED = Histogram(
    "masthead_pool_queue_seconds", "Time that requests waited for a thread of a pool.", ("pool",)
)
_THREADS = Gauge("masthead_pool_threads", "Threads of a pool.", ("pool",))
_BUSY = Gauge("masthead_pool_busy_threads", "Threads of a pool that answer a request.", ("pool",))
_LENGTH = Gauge("masthead_pool_queue_length", "Requests that wait for a thread.", ("pool",))


class Task(Protocol):
    """A unit of work for a thread."""

    queued_at: float
    """The monotonic time at which it was added to a pool."""

    def service(self) -> None:
        """Do the work."""

    def refuse(self) -> None:
        """Answer with 503 instead; called by the main thread."""

    def cancel(self) -> None:
        """Give the work up, because the server stops."""


class _Measured:
    """A task that records how long it waited."""

    def __init__(self, task: Task, pool: str) -> None:
        self.queued_at = task.queued_at
        self.refuse = task.refuse
        self.cancel = task.cancel
        self._task = task
        self._pool = pool

    def service(self) -> None:
        """Do the work."""
        _QUEUED.observe(time.monotonic() - self.queued_at, self._pool)
        self._task.service()


class Pool(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """Threads with a queue of limited length."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        super().__init__()
        self._name = name
        self._waiting = waiting
        self.set_thread_count(threads)

    def start_new_thread(self, target: Callable[[int], None], thread_no: int) -> None:
        """Start a thread that is named after the pool."""
        name = f"{self._name}-{thread_no}"
        threading.Thread(target=target, name=name, args=(thread_no,), daemon=True).start()

    def is_full(self) -> bool:
        """Whether as many tasks wait for a thread as may."""
        return len(self.queue) >= self._waiting

    def add_task(self, task: Task) -> None:
        """Add a task to the queue."""
        task.queued_at = time.monotonic()
        super().add_task(_Measured(task, self._name) if _QUEUED.is_on else task)

    def sample(self) -> None:
        """Set the gauges of the pool."""
        _THREADS.set(len(self.threads), self._name)
        _BUSY.set(self.active_count, self._name)
        _LENGTH.set(len(self.queue), self._name)

    def take_overdue(self, since: float) -> list[Task]:
        """Remove and return the tasks that have waited since before a monotonic time."""
        overdue: list[Task] = []
        with self.lock:
            while self.queue and self.queue[0].queued_at < since:
                overdue.append(self.queue.popleft())
        return overdue

    def stop(self) -> None:
        """Cancel the waiting tasks, and let each thread end after its task."""
        self.set_thread_count(0)
        for task in self.take_overdue(math.inf):
            task.cancel()


class Pools:
    """All pools of a server."""

    def __init__(self, options: Options) -> None:
        self._pools = {
            name: Pool(
                name, threads, threads * (_WAITING_UPLOADS if name == "uploads" else _WAITING)
            )
            for name, threads in options.pools.items()
        }
        add_sampler(self._sample)

    def _sample(self) -> None:
        for pool in self._pools.values():
            pool.sample()

    def __getitem__(self, name: str) -> Pool:
        """Return a pool; ``reads`` for a name that has no threads."""
        return self._pools.get(name) or self._pools["reads"]

    def take_overdue(self, since: float) -> list[Task]:
        """Remove and return the tasks that have waited since before a monotonic time."""
        return [task for pool in self._pools.values() for task in pool.take_overdue(since)]

    def stop(self) -> int:
        """Stop all pools; return the number of threads that don't end soon."""
        for pool in self._pools.values():
            pool.stop()
        deadline = time.monotonic() + _THREADS_END
        while (running := self._running()) and time.monotonic() < deadline:
            time.sleep(0.02)
        return running

    def _running(self) -> int:
        return sum(len(pool.threads) for pool in self._pools.values())
