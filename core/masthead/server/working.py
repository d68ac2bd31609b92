"""A process, or a program, that is nothing but a worker."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from queue import SimpleQueue

from masthead.server.signals import handling

Work = Callable[[threading.Event], None]
"""Work beside the server: runs until the event is set, then returns soon."""


def work_until_signal(
    worker: Work, stop_timeout: float, *signals: signal.Signals, ready: Callable[[], None]
) -> bool:
    """Let a worker run until one of the signals comes; call it in the main thread.

    :param stop_timeout: seconds that the worker gets to return.
    :param ready: called once the signals are waited for.
    :returns: whether it has returned in time.
    :raises RuntimeError: when it ends by itself.
    """
    stop = threading.Event()
    # Setting an event inside a signal handler can deadlock, filling this queue can't.
    ends: SimpleQueue[str] = SimpleQueue()

    def run() -> None:
        try:
            worker(stop)
        finally:
            ends.put("worker")

    thread = threading.Thread(target=run, name="worker", daemon=True)
    with handling(lambda *_: ends.put("signal"), *signals):
        thread.start()
        ready()
        if ends.get() == "worker":
            raise RuntimeError("the worker ended")
        stop.set()
        thread.join(stop_timeout)
    return not thread.is_alive()
