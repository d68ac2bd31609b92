"""Running a worker in the main program until a signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from masthead.server.events import Events
from masthead.server.memory import return_free_memory
from masthead.server.signals import RELOAD, handling

_TICK = 1.0  # seconds between two looks at the worker


@dataclass(frozen=True)
class Work:
    """Background work."""

    run: Callable[[threading.Event], None]
    """Runs until the event is set, then returns soon."""
    lives: Callable[[], bool] = lambda: True
    """Whether the work makes progress."""


def work_until_signal(
    worker: Work, stop_timeout: float, *signals: signal.Signals, events: Events
) -> bool:
    """Run a worker until one of the signals arrives; call it in the main thread.

    :param stop_timeout: seconds in which the worker can return.
    :returns: whether the worker returned in time.
    :raises RuntimeError: if the worker ends by itself.
    """
    return_free_memory()
    stop = threading.Event()
    # Setting an event in a signal handler can deadlock, adding to this queue can't.
    ends: SimpleQueue[str] = SimpleQueue()

    def run() -> None:
        try:
            worker.run(stop)
        finally:
            ends.put("worker")

    thread = threading.Thread(target=run, name="worker", daemon=True)
    reloads = [] if RELOAD is None else [RELOAD]
    with (
        handling(lambda *_: ends.put("signal"), *signals),
        handling(lambda *_: ends.put("reload"), *reloads),
    ):
        thread.start()
        events.ready()
        if _end(ends, worker, events) == "worker":
            raise RuntimeError("the worker ended")
        events.stopping()
        stop.set()
        thread.join(stop_timeout)
    return not thread.is_alive()


def _end(ends: SimpleQueue[str], worker: Work, events: Events) -> str:
    """Wait until the worker ends or has to; meanwhile obey signals to reload and show life."""
    while True:
        try:
            end = ends.get(timeout=_TICK)
        except Empty:
            end = ""
        if end == "reload":
            events.reload()
        elif end:
            return end
        if worker.lives():
            events.alive()
