"""A decoder as its parent sees it: a child process that executes one task at a time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

from masthead_media.decoding.messages import receive, send

_PROGRAM = "masthead_media.decoding.program"
_START_SECONDS = 30.0
_MAX_RENDITION = 64 * 1024 * 1024
_ENVIRONMENT = ("PATH", "PYTHON", "LD_", "DYLD_", "LANG", "LC_", "SYSTEMROOT", "TMPDIR")
"""How the names of the variables begin that a decoder gets; others may hold secrets."""


class Died(Exception):
    """The decoder ended before it answered; the text says why."""


class Killed(Died):
    """The decoder was killed: by its parent, as it took too long by the clock, or by the system."""


class Decoder:
    """A child process that executes tasks."""

    def __init__(self) -> None:
        """Start the process.

        :raises OSError: if the system refuses another process.
        :raises Died: if the program ends at once.
        """
        self._overdue = False
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                # Never a fork: this process has threads. The pipe tells the child of our end.
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", _PROGRAM],
                    env={n: v for n, v in os.environ.items() if n.startswith(_ENVIRONMENT)},
                    stdin=subprocess.PIPE,
                    stdout=theirs.fileno(),
                )
            except OSError:
                ours.close()
                raise
        self._channel = ours.makefile("rwb")
        ours.close()
        self._within(_START_SECONDS, None, b"")

    def execute(
        self, task: Mapping[str, Any], content: bytes, seconds: float
    ) -> tuple[dict[str, Any], bytes]:
        """Return the answer to a task.

        :param seconds: the time after which the process is killed.
        :raises Killed: if it takes longer, or something else kills the process.
        :raises Died: if the process ends before it answers.
        """
        return self._within(seconds, task, content)

    @property
    def is_usable(self) -> bool:
        """Whether the process still runs."""
        return not self._overdue and self._process.poll() is None

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        self.abandon()

    def abandon(self) -> None:
        """Close our ends of the connections."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._channel.close()
        except OSError:
            # It held bytes for a process that doesn't run any more.
            pass

    def kill(self) -> None:
        """Kill the process while another thread waits for its answer."""
        self._process.kill()

    def _within(
        self, seconds: float, task: Mapping[str, Any] | None, content: bytes
    ) -> tuple[dict[str, Any], bytes]:
        timer = threading.Timer(seconds, self._kill_overdue)
        timer.daemon = True
        timer.start()
        try:
            if task is not None:
                send(self._channel, task, content)
            return receive(self._channel, max(_MAX_RENDITION, 2 * len(content)))
        except (OSError, EOFError):
            self.close()
            raise self._death() from None
        except ValueError as error:
            self.close()
            raise Died(str(error)) from None
        except BaseException:
            # A part of this answer would be read as the answer to the next task.
            self.close()
            raise
        finally:
            timer.cancel()
            timer.join()

    def _kill_overdue(self) -> None:
        self._overdue = True
        self._process.kill()

    def _death(self) -> Died:
        """Return the reason why the process ended."""
        code = self._process.returncode
        if self._overdue:
            return Killed("it took too long")
        if code == -signal.SIGXCPU:
            return Died("it took too much CPU time")
        kind = Killed if code == -signal.SIGKILL else Died
        return kind(f"the decoder ended with code {code}")
