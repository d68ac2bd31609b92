"""The start of a web server in a process of its own, for tests and benchmarks."""

from __future__ import annotations

import subprocess
import threading


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
