"""The protocols of a service manager such as systemd: state, watchdog and passed sockets.

The messages are those of sd_notify(3), the sockets those of sd_listen_fds(3).
"""

from __future__ import annotations

import faulthandler
import math
import os
import socket
import time
from collections.abc import Callable, MutableMapping

from masthead.errors import StartError
from masthead.server.events import Events

_FIRST_PASSED = 3
"""The number of the first file descriptor that a service manager passes."""
_SEND_SECONDS = 1.0


class ServiceManager:
    """The service manager that has started this program; without one, nothing is sent.

    :param environ: the environment variables of the program.
    """

    def __init__(self, environ: MutableMapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # Linux has abstract addresses, which begin with NUL.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.pause = _watchdog_seconds(environ) / 2 if address else math.inf
        """The seconds between two signs of life; infinite without a watchdog."""
        self._due = 0.0
        if self.pause < math.inf:
            # The watchdog ends a program by SIGABRT. The log then tells where each thread was.
            faulthandler.enable()

    def telling(self, events: Events, lives: Callable[[], bool] = lambda: True) -> Events:
        """Return events that tell the service manager as well.

        :param lives: whether the other threads of the program work; otherwise no sign is sent.
        """

        def ready() -> None:
            events.ready()
            self._send("READY=1")

        def stopping() -> None:
            self._send("STOPPING=1")
            events.stopping()

        def reload() -> None:
            self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
            try:
                events.reload()
            finally:
                self._send("READY=1")

        def alive() -> None:
            events.alive()
            if lives():
                self._give_sign()

        return Events(ready, stopping, reload, alive)

    def _give_sign(self) -> None:
        now = time.monotonic()
        if self.pause < math.inf and now >= self._due:
            self._due = now + self.pause
            self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.settimeout(_SEND_SECONDS)
            try:
                sender.sendto(message.encode(), self._address)
            except OSError:
                # A service manager that is itself restarted doesn't listen for a moment.
                return


def passed_socket(environ: MutableMapping[str, str]) -> socket.socket | None:
    """Return the listening socket that a service manager has passed; None if there is none.

    The variables are removed, because child processes get no socket.

    :raises StartError: if it passes several sockets, or one that isn't TCP.
    """
    pid, count = (environ.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS"))
    environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or count in ("", "0"):
        return None
    if count != "1":
        raise StartError(f"the service manager passes {count} sockets, but only one can be used")
    try:
        passed = socket.socket(fileno=_FIRST_PASSED)
        passed.set_inheritable(False)
        listens = passed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise StartError(f"the socket of the service manager can't be used: {error}") from error
    if not listens or passed.family not in (socket.AF_INET, socket.AF_INET6):
        passed.close()
        raise StartError("the service manager passes a socket that doesn't listen for TCP")
    return passed


def _watchdog_seconds(environ: MutableMapping[str, str]) -> float:
    """Return the seconds after which the service manager restarts a program without a sign."""
    microseconds = environ.get("WATCHDOG_USEC", "")
    is_meant = environ.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
    if not is_meant or not microseconds.isdecimal() or not int(microseconds):
        return math.inf
    return int(microseconds) / 1_000_000
