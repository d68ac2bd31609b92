"""The folder in which the processes of one program keep their metrics."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from masthead.telemetry.metrics import SHARED_FOLDER

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder below it has a random name
_NAME = re.compile(r"masthead-metrics-([0-9]+)-")


@contextmanager
def shared_folder() -> Iterator[None]:
    """Set the environment to a new folder inside the block, and remove the folder at its end.

    A folder that the operator has set in the environment stays. The new one is in memory if
    possible: the processes map its files, and a write to a mapped file on a full disk kills them.
    """
    if os.environ.get(SHARED_FOLDER):
        yield
        return
    parent = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    _remove_old(parent)
    folder = tempfile.mkdtemp(prefix=f"masthead-metrics-{os.getpid()}-", dir=parent)
    os.environ[SHARED_FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[SHARED_FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def forget_process(pid: int) -> None:
    """Remove the gauges of a process that has ended; its counters stay."""
    if os.environ.get(SHARED_FOLDER):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


def _remove_old(parent: Path) -> None:
    """Remove the folders of own programs that were killed."""
    for folder in parent.glob("masthead-metrics-*"):
        found = _NAME.match(folder.name)
        try:
            state = folder.lstat()
        except OSError:
            continue
        # Others may write into the parent, too.
        is_own = folder.is_dir() and not folder.is_symlink() and state.st_uid == os.getuid()
        if found and is_own and not _runs(int(found[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
