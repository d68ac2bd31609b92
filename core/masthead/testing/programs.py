"""Programs in processes of their own, for tests and benchmarks: their ports and their start."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import threading
from contextlib import suppress

# Other processes that run tests begin elsewhere.
_PORTS = itertools.count(20_000 + os.getpid() * 20 % 12_000)


def free_port() -> int:
    """Return a port of 127.0.0.1 for a program that can't let the system choose one.

    Each call returns another one. None is in the range from which the system chooses, because it
    could give such a port to another program before this one listens or between two starts.
    """
    while True:
        port = next(_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def read_start(process: subprocess.Popen[str], seconds: float) -> tuple[str, str]:
    """Read what a server prints until it prints its address, and kill it if it takes too long.

    :param process: ``masthead serve``, or another program that prints ``answers at`` and an
        address at the end of a line; its standard output is a pipe of text.
    :param seconds: the time after which it counts as hanging.
    :returns: the address, which is blank if the server has ended before, and all it has printed.
    """
    assert process.stdout is not None
    guard = threading.Timer(seconds, process.kill)
    guard.start()
    printed = ""
    try:
        for line in process.stdout:
            printed += line
            if "answers at " in line:
                return line.split()[-1], printed
    finally:
        guard.cancel()
    return "", printed
