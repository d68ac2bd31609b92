"""A supervisor that forks server processes and replaces those that die."""

from __future__ import annotations

import logging
import math
import mmap
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn

from masthead.errors import StartError
from masthead.server.events import Events
from masthead.server.signals import RELOAD, handling
from masthead.telemetry import metrics
from masthead.telemetry.shared_folder import forget_process

logger = logging.getLogger(__name__)

Target = Callable[[Events], None]
"""The function that a child runs until SIGTERM; it calls the functions of the events."""

_READY = b"ready"
_STABLE = 10.0  # seconds after which the end of a process no longer counts as a failed start
_MAX_RESTART_DELAY = 30.0
_TICK = 1.0  # seconds between two looks at the children if a watchdog looks at this process
_SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGCHLD]
if RELOAD is not None:
    _SIGNALS.append(RELOAD)


@dataclass
class _Child:
    """A slot for a child process, and the process that currently runs in it."""

    target: Target
    number: int
    pid: int = 0
    report: int = -1
    """The file descriptor on which the process reports that it is ready, or why it failed."""
    started: float = 0.0
    failures: int = 0
    due: float = 0.0
    """When the next process starts in this slot, if none runs."""


class Supervisor:
    """The parent of the server processes; it answers no requests itself.

    The parent must not have threads, because forking a program with threads is unsafe.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        stop_timeout: float,
        reload: Callable[[], None],
        most_silence: float = math.inf,
    ) -> None:
        """Open the pipe and the memory that the parent shares with its children.

        :param reload: called in each child at SIGHUP.
        :param most_silence: the seconds without a sign of life after which a child hangs.
        """
        self._reload = reload
        self._most_silence = most_silence
        self._children = [_Child(target, number) for number, target in enumerate(targets)]
        # Each child writes the time of its last sign of life, which all processes measure alike.
        self._signs = memoryview(mmap.mmap(-1, 8 * len(targets))).cast("d")
        self._stop_timeout = stop_timeout
        # Unlike locks, a SimpleQueue may be used by a signal handler.
        self._signals: SimpleQueue[int] = SimpleQueue()
        self._stopping = False
        # Children read from this pipe: it reaches its end when the parent ends.
        self._parent_pipe, self._parent_pipe_write_end = os.pipe()

    def run(self, events: Events) -> None:
        """Start the processes and supervise them until SIGTERM or SIGINT.

        :param events: called in this process: ``ready`` when all processes are ready, ``alive``
            while none of them hangs.
        :raises StartError: if one of the first processes can't start.
        """
        self._events = events
        with handling(self._note, *_SIGNALS):
            try:
                for child in self._children:
                    self._start(child)
                if self._all_ready():
                    events.ready()
                    self._watch()
            finally:
                events.stopping()
                self._stop()
                os.close(self._parent_pipe)
                os.close(self._parent_pipe_write_end)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._signals.put(number)

    def _wait(self, seconds: float) -> None:
        try:
            number = self._signals.get(timeout=max(seconds, 0))
        except Empty:
            return
        if number == RELOAD:
            self._events.reload()
            for child in self._children:
                if child.pid:
                    os.kill(child.pid, number)
        elif number != signal.SIGCHLD:
            self._stopping = True

    def _start(self, child: _Child) -> None:
        report, report_of_child = os.pipe()
        self._signs[child.number] = time.monotonic()
        # A signal between fork and the child's own handlers would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            child.pid = os.fork()
            if child.pid == 0:
                os.close(report)
                os.close(self._parent_pipe_write_end)
                events = Events(
                    lambda: _send_report(report_of_child, _READY),
                    reload=self._reload,
                    alive=lambda: self._give_sign(child),
                )
                _run_child(child.target, self._parent_pipe, report_of_child, events)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        os.close(report_of_child)
        child.report = report
        child.started = time.monotonic()

    def _all_ready(self) -> bool:
        """Wait until all processes are ready; False if a signal to stop comes first."""
        for child in self._children:
            while not select.select([child.report], [], [], 0)[0]:
                self._wait(0.05)
                if self._stopping:
                    return False
            report = os.read(child.report, select.PIPE_BUF)
            if report != _READY:
                raise StartError(report.decode() or "a server process died while it started")
        return True

    def _watch(self) -> None:
        while not self._stopping:
            now = time.monotonic()
            for child in self._children:
                self._reap(child)
                if not child.pid and child.due <= now:
                    self._start(child)
            if not any(self._hangs(child, now) for child in self._children):
                self._events.alive()
            pauses = [child.due - now for child in self._children if not child.pid]
            self._wait(min([*pauses, 60 if self._most_silence == math.inf else _TICK]))

    def _give_sign(self, child: _Child) -> None:
        self._signs[child.number] = time.monotonic()

    def _hangs(self, child: _Child, now: float) -> bool:
        return bool(child.pid) and now - self._signs[child.number] > self._most_silence

    def _reap(self, child: _Child) -> None:
        """If the process has ended, log it and schedule the next one."""
        ended = _ended(child)
        if ended is None:
            return
        now = time.monotonic()
        child.failures = 1 if now - child.started > _STABLE else child.failures + 1
        # The first failure restarts at once; further ones wait longer each time.
        pause = min(2.0 ** (child.failures - 2), _MAX_RESTART_DELAY) if child.failures > 1 else 0.0
        child.due = now + pause
        logger.error("A server process %s; another one starts in %g s", ended, pause)

    def _stop(self) -> None:
        for child in self._children:
            if child.pid:
                os.kill(child.pid, signal.SIGTERM)
        deadline = time.monotonic() + self._stop_timeout
        while left := [child for child in self._children if child.pid and not _ended(child)]:
            if time.monotonic() > deadline:
                logger.warning("%d server processes don't stop and are killed", len(left))
                for child in left:
                    os.kill(child.pid, signal.SIGKILL)
                deadline = math.inf
            self._wait(0.1)


def _ended(child: _Child) -> str | None:
    """Return how the process ended and clear its slot; None while it runs."""
    if not child.pid:
        return None
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    if not pid:
        return None
    child.pid = 0
    forget_process(pid)
    code = os.waitstatus_to_exitcode(status)
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    why = _reported(child).removeprefix(_READY).decode(errors="replace")
    os.close(child.report)
    return f"({pid}) {how}" + (f" ({why})" if why else "")


def _reported(child: _Child) -> bytes:
    """Return the unread part of the process's report, without waiting."""
    said = select.select([child.report], [], [], 0)[0]
    return os.read(child.report, select.PIPE_BUF) if said else b""


def _run_child(target: Target, parent_pipe: int, report: int, events: Events) -> NoReturn:
    """Run the target in the child, then exit without the parent's exit handlers."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if RELOAD is not None:
            signal.signal(RELOAD, lambda *_: events.reload())
        # Ctrl-C reaches every process of the terminal; the parent sends SIGTERM instead.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        threading.Thread(target=_terminate_with_parent, args=(parent_pipe,), daemon=True).start()
        target(events)
        code = 0
    except StartError as error:
        _send_report(report, str(error).encode()[: select.PIPE_BUF])
    except BaseException as error:
        logger.exception("A server process failed")
        _send_report(report, f"a server process failed: {error!r}".encode()[: select.PIPE_BUF])
    finally:
        metrics.flush()
        logging.shutdown()
        os._exit(code)


def _send_report(report: int, message: bytes) -> None:
    os.write(report, message)


def _terminate_with_parent(parent_pipe: int) -> None:
    os.read(parent_pipe, 1)
    os.kill(os.getpid(), signal.SIGTERM)
