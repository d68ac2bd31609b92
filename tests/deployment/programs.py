"""Programs that a test starts, kills and starts again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

TOO_LONG = 60


class Program:
    """A program in its own process group, with a log file."""

    def __init__(
        self,
        command: Sequence[str | Path],
        log: Path,
        environ: Mapping[str, str],
        user: int | None = None,
    ) -> None:
        self.log = log
        self._command = [str(word) for word in command]
        self._environ = dict(environ)
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the program."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environ,
                # The relay of the tests ends with its standard input.
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd="/",
                user=self._user,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill the program and all its processes, as a power failure would."""
        self._signal_all(signal.SIGKILL)
        self._wait()

    def freeze(self) -> None:
        """Let the program stop in the middle of its work, without ending it."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen program continue."""
        self._signal_all(signal.SIGCONT)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Stop the program if it runs; kill it if it takes too long."""
        if self._process is not None:
            self._process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                self._wait()
            if self._process is not None:
                self.kill()

    def _signal_all(self, number: signal.Signals) -> None:
        for pid in [self.pid, *descendants(self.pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _wait(self) -> None:
        assert self._process is not None
        self._process.communicate(timeout=TOO_LONG)
        self._process = None


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    children = [int(each) for each in found]
    return [*children, *(below for child in children for below in descendants(child))]


def unprivileged_user() -> int | None:
    """Return the user for programs that refuse to run as root; None if this one isn't root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres", known.get("nobody", 65534))


def find(name: str) -> str | None:
    """Return the path of a program, also of one that only administrators have on PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def wait_until(is_done: Callable[[], object], log: Path, seconds: float = TOO_LONG) -> None:
    """Wait until a condition is true; raise AssertionError with the end of a log otherwise."""
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, log.read_text(errors="replace")[-3000:]
        time.sleep(0.05)


def listens(host: str, port: int) -> bool:
    """Whether a program accepts connections."""
    with suppress(OSError):
        socket.create_connection((host, port), 1).close()
        return True
    return False
