"""Working ahead: a second process prepares the next items while this one stores the last ones."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Given = TypeVar("Given")
Made = TypeVar("Made")
_FAILED = b""


def map_ahead(make: Callable[[Given], Made], items: Iterable[Given], size: int) -> Iterator[Made]:
    """Apply a function to items in order, as ``map`` does, ``size`` items at a time.

    This process has the first items. A second process has the others, one portion ahead of the
    caller, where the machine has a second processor. This process repeats a portion that the second
    one failed to make, so that an exception is raised here, and makes all of them where no second
    process can be started.

    :param make: a function without effects, which uses no connection.
    """
    remaining = iter(items)
    yield from map(make, islice(remaining, size))
    portion = list(islice(remaining, size))
    started = _started(make) if portion and _has_second_processor() else None
    if started is None:
        yield from map(make, chain(portion, remaining))
        return
    with started as helper:
        helper.begin(portion)
        while portion:
            made = helper.result()
            following = list(islice(remaining, size))
            if following:
                helper.begin(following)
            yield from map(make, portion) if made is None else made
            portion = following


def _has_second_processor() -> bool:
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _started(make: Callable[[Given], Made]) -> _Helper | None:
    """Start the second process; return None if the limits of the machine forbid it."""
    try:
        return _Helper(make)
    except OSError:
        return None


class _Helper:
    """A process that applies a function to one portion after the other.

    It ends when this process ends, however that happens, because it reads from a pipe.
    """

    def __init__(self, make: Callable[[Given], Made]) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._pipe, other, make), daemon=True)
        # Python can't raise KeyboardInterrupt from the functions that it calls around a fork.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        other.close()

    def __enter__(self) -> _Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.join()

    def begin(self, portion: Sequence[object]) -> None:
        """Send a portion. The result of the one before was received, so the process listens."""
        try:
            self._pipe.send(portion)
        except OSError:
            # The process was ended, and has no result.
            return

    def result(self) -> list[Any] | None:
        """Return the results of the portion that was sent; None if there are none."""
        try:
            pickled = self._pipe.recv_bytes()
        except (EOFError, OSError):
            return None
        # It is from a process of this program.
        return None if pickled == _FAILED else pickle.loads(pickled)  # noqa: S301


def _serve(ours: Connection, pipe: Connection, make: Callable[[Given], Made]) -> None:
    # With the other end of its pipe, the process would not notice that its parent has ended.
    ours.close()
    # Ctrl-C is sent to both; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The objects of the parent stay in memory that both processes share.
    gc.freeze()
    while True:
        try:
            portion = pipe.recv()
        except (EOFError, OSError):
            # The parent has ended, or stopped before it had read a result.
            return
        try:
            pickled = pickle.dumps([make(each) for each in portion], pickle.HIGHEST_PROTOCOL)
        except Exception:  # noqa: BLE001 - code of plugins, which the parent calls again
            pickled = _FAILED
        try:
            pipe.send_bytes(pickled)
        except OSError:
            return
