"""Working ahead: a second process prepares the next items while this one stores the last ones."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from io import BufferedIOBase, BufferedReader, BufferedWriter
from itertools import chain, islice
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
_FAILED = b""
"""Stands for the result of an item that has none."""


def map_ahead(make: Callable[[Given], Made], items: Iterable[Given], size: int) -> Iterator[Made]:
    """Apply a function to items in order, as ``map`` does, ``size`` items at a time.

    This process has the first items. A second process has the others, one portion ahead of the
    caller, where the machine has a second processor. This process makes those that the second one
    failed to make, so that an exception is raised here, and all of them where no second process can
    be started.

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
            made = helper.result(len(portion))
            following = list(islice(remaining, size))
            helper.begin(following)
            for item, pickled in zip(portion, made, strict=True):
                # It is from a process of this program.
                yield pickle.loads(pickled) if pickled else make(item)  # noqa: S301
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

        given, self._given = _pipe()
        self._made, made = _pipe()
        self._process = get_context("fork").Process(
            target=_serve, args=(given, made, [self._given, self._made], make), daemon=True
        )
        # Python can't raise KeyboardInterrupt from the functions that it calls around a fork.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._process.start()
        except OSError:
            self._close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            given.close()
            made.close()

    def __enter__(self) -> _Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._process.join()

    def _close(self) -> None:
        self._made.close()
        # The rest of a portion can't be written to a process that has ended.
        with suppress(OSError):
            self._given.close()

    def begin(self, portion: Sequence[object]) -> None:
        """Send a portion. The result of the one before was received, so the process listens."""
        # If the process was ended, it has no result.
        with suppress(OSError):
            pickle.dump(portion, self._given, pickle.HIGHEST_PROTOCOL)
            self._given.flush()

    def result(self, size: int) -> list[bytes]:
        """Return the pickled results of the portion that was sent; ``_FAILED`` for those it lacks.

        :param size: the number of items of the portion.
        """
        try:
            made: list[bytes] = pickle.load(self._made)  # noqa: S301 - a process of this program
        except (EOFError, OSError, pickle.UnpicklingError):
            return [_FAILED] * size
        return made


def _pipe() -> tuple[BufferedReader, BufferedWriter]:
    """Return the ends of a new pipe."""
    reader, writer = os.pipe()
    return os.fdopen(reader, "rb"), os.fdopen(writer, "wb")


def _serve(
    given: BufferedReader,
    made: BufferedWriter,
    others: Iterable[BufferedIOBase],
    make: Callable[[Given], Made],
) -> None:
    # With the other ends of its pipes, the process would not notice that its parent has ended.
    for pipe in others:
        pipe.close()
    # Ctrl-C is sent to both; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The objects of the parent stay in memory that both processes share.
    gc.freeze()
    # The pipe breaks when the parent has ended, or stops before it has read a result.
    with suppress(EOFError, OSError, pickle.UnpicklingError), made:
        while True:
            portion = pickle.load(given)  # noqa: S301 - from a process of this program
            pickle.dump([_pickled(make, each) for each in portion], made, pickle.HIGHEST_PROTOCOL)
            made.flush()


def _pickled(make: Callable[[Given], Made], item: Given) -> bytes:
    try:
        return pickle.dumps(make(item), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - code of plugins, which the parent calls again
        return _FAILED
