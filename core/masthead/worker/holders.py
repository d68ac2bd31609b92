"""The names of processes that hold leases, by which a machine sees that one of its own has ended.

A name counts on one boot of one machine and in one PID namespace only, such as a container.
"""

from __future__ import annotations

import os
import secrets
import socket
from functools import cache
from hashlib import sha256
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PIDS = Path("/proc/self/ns/pid")
_PARTS = 4


def new_holder() -> str:
    """Return a new name of this process: host, process id, its namespace, and a random part."""
    return ":".join((socket.gethostname(), str(os.getpid()), _namespace(), secrets.token_hex(8)))


def has_ended(holder: str) -> bool:
    """Whether a process of this machine had the name, and has ended, for example by a kill.

    It is False for processes of other machines, about which nothing is known.
    """
    parts = holder.split(":")
    if len(parts) != _PARTS or parts[2] != _namespace():
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it belongs to another user
    return False


@cache
def _namespace() -> str:
    try:
        identity = f"{_BOOT.read_text('ascii')}{_PIDS.readlink()}"
    except OSError:
        # Only Linux has these files. With a random name, no other process counts as ended.
        return secrets.token_hex(8)
    return sha256(identity.encode()).hexdigest()[:16]
