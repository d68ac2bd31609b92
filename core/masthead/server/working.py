"""Running a worker in the main program until a signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from queue import SimpleQueue

from masthead.server.signals import RELOAD, handling

Work = Callable[[threading.Event], None]
"""Background work: runs until the event is set, then returns soon."""


def work_until_signal(
    worker: Work,
    stop_timeout: float,
    *signals: signal.Signals,
    ready: Callable[[], None],
    reload: Callable[[], None],
) -> bool:
    """Run a worker until one of the signals arrives; call it in the main thread.

    :param stop_timeout: seconds in which the worker can return.
    :param ready: called once the signals are handled.
    :param reload: called at SIGHUP.
    :returns: whether the worker returned in time.
    :raises RuntimeError: if the worker ends by itself.
    """
    stop = threading.Event()
    # Setting an event in a signal handler can deadlock, adding to this queue can't.
    ends: SimpleQueue[str] = SimpleQueue()

    def run() -> None:
        try:
            worker(stop)
        finally:
            ends.put("worker")

    thread = threading.Thread(target=run, name="worker", daemon=True)
    reloads = [] if RELOAD is None else [RELOAD]
    with (
        handling(lambda *_: ends.put("signal"), *signals),
        handling(lambda *_: ends.put("reload"), *reloads),
    ):
        thread.start()
        ready()
        while (end := ends.get()) == "reload":
            reload()
        if end == "worker":
            raise RuntimeError("the worker ended")
        stop.set()
        thread.join(stop_timeout)
    return not thread.is_alive()
