"""The program of a decoder: ``python -m masthead_media.decoding.program``.

It executes one task after the other and knows neither settings nor database. It ends with the
process that started it, however that ends.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from masthead_media.decoding.messages import receive, send
from masthead_media.validate_image import validate_image

_MAX_CONTENT = 2**31


def validate(content: bytes, max_pixels: int) -> tuple[Mapping[str, Any], bytes]:
    """Return the fields of the picture in an upload, and its bytes."""
    fields = asdict(validate_image(content, max_pixels))
    return fields, fields.pop("content")


def scale(content: bytes, width: int) -> tuple[Mapping[str, Any], bytes]:
    """Return a rendition in a width."""
    from masthead_media.renditions import make_rendition

    return {}, make_rendition(content, width)


TASKS: Mapping[str, Callable[[bytes, int], tuple[Mapping[str, Any], bytes]]] = {
    "validate": validate,
    "scale": scale,
}


def main() -> None:
    """Execute the tasks that arrive at standard output, which is a socket."""
    # A supervisor signals all processes of a service; the decoders end after the server.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _end_with_parent(sys.stdin.fileno())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with socket.socket(fileno=os.dup(1)) as connection, connection.makefile("rwb") as channel:
        os.dup2(2, 1)
        _import_pillow()
        try:
            send(channel, {})
            while True:
                send(channel, *_execute(*receive(channel, _MAX_CONTENT)))
        except (EOFError, OSError):
            pass


def _end_with_parent(pipe: int) -> None:
    """Let the kernel kill this process when the other end of a pipe is closed.

    A thread couldn't do it, because Pillow holds the interpreter while it decodes. On systems other
    than Linux a decoder ends after its task, or at the limit of its time.
    """
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _import_pillow() -> None:
    """Import the parts of Pillow before a limit applies."""
    from PIL import Image

    Image.preinit()
    import PIL.WebPImagePlugin  # noqa: F401 - preinit leaves it out


def _execute(task: Mapping[str, Any], content: bytes) -> tuple[Mapping[str, Any], bytes]:
    """Return the answer to a task, and the bytes that it made."""
    began = time.process_time()
    _limit(resource.RLIMIT_AS, task["memory"])
    _limit(resource.RLIMIT_CPU, math.ceil(began + task["seconds"]))
    fields: Mapping[str, Any] = {}
    made, failure = b"", ""
    try:
        fields, made = TASKS[task["name"]](content, task["argument"])
    except Exception as error:  # noqa: BLE001 - Pillow raises many types for a damaged file
        failure = repr(error.__cause__ or error)[:1000]
    finally:
        # Receiving the next task must not count towards this one.
        _limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)
    seconds = time.process_time() - began
    return {"fields": fields, "failure": failure, "seconds": seconds}, made


def _limit(kind: int, value: int) -> None:
    """Set a limit of this process, or the highest that the system allows."""
    hard = resource.getrlimit(kind)[1]
    is_allowed = hard == resource.RLIM_INFINITY or 0 <= value <= hard
    resource.setrlimit(kind, (value if is_allowed else hard, hard))


if __name__ == "__main__":
    main()
