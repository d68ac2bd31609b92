"""The file ``mail.mark`` in the data folder: how much mail this machine has handed over.

A restore of a PostgreSQL database, or a replica without the last changes, doesn't reach this file.
The database counts the hand-overs of each data folder, and the file follows it: in normal operation
the database is never behind the file.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace

from masthead import Instance

logger = logging.getLogger(__name__)

_SIZE = 256
"""The size of the file: a single sector of a disk, so that no crash leaves half of a record."""
_SYNC_SECONDS = 0.5
"""The time in which a loss of power may lose the last marks; a killed process loses none."""


@dataclass(frozen=True)
class Mark:
    """The state of the database at the last hand-over from a data folder."""

    folder: str
    """The id of the data folder."""
    epoch: int
    """The epoch of the outbox: marks of an earlier one don't count, because staff have resumed."""
    count: int
    """The number of hand-overs from this folder."""
    runs: int
    """The number of delivery runs of all machines."""
    timeline: int
    """The timeline of PostgreSQL; 0 if unknown."""
    position: int
    """The end of PostgreSQL's log (LSN) that was on disk; 0 if unknown."""


class MarkFile:
    """The file of one data folder; all processes on the machine share it."""

    def __init__(self, instance: Instance) -> None:
        self._path = instance.data / "mail.mark"
        self.folder = ""
        """The id of the folder; blank until it is known."""
        self.count = 0
        """The number of hand-overs that the last run found in the database."""
        self._synced_at = 0.0
        self._warned = False

    def read(self) -> Mark | None:
        """Return the mark; None if there is no file, or if it can't be read.

        :raises ValueError: if the file is damaged.
        """
        try:
            return _parsed(self._path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(error)
            return None

    def discard(self) -> None:
        """Delete a damaged file, which has paused the outbox; the next run writes another."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            self._warn(error)

    def store(self, mark: Mark) -> None:
        """Store the mark of a run durably, unless the file is further."""
        self.folder, self.count = mark.folder, mark.count
        try:
            if not self._path.exists():
                self._create(mark)
            with self._locked() as file:
                found = _read(file)
                self.folder = found.folder if found else mark.folder
                if found is None or found.epoch <= mark.epoch:
                    same = found is not None and found.epoch == mark.epoch
                    count = max(mark.count, found.count) if found and same else mark.count
                    _write(file, replace(mark, folder=self.folder, count=count))
                    os.fdatasync(file)
        except OSError as error:
            self._warn(error)

    def advance(self, count: int) -> None:
        """Record a hand-over that the database has counted, before it leaves this machine."""
        try:
            with self._locked() as file:
                found = _read(file)
                if found is not None and found.count < count:
                    _write(file, replace(found, count=count))
                if time.monotonic() - self._synced_at > _SYNC_SECONDS:
                    os.fdatasync(file)
                    self._synced_at = time.monotonic()
        except OSError as error:
            self._warn(error)

    def _create(self, mark: Mark) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{secrets.token_hex(4)}")
        try:
            file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                _write(file, mark)
                os.fsync(file)
            finally:
                os.close(file)
            # Not by renaming: another process may have made the file meanwhile.
            os.link(new, self._path)
        except FileExistsError:
            pass
        finally:
            new.unlink(missing_ok=True)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        import fcntl

        file = os.open(self._path, os.O_RDWR)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def _warn(self, error: OSError) -> None:
        if not self._warned:
            self._warned = True
            logger.warning(
                "%s can't be used (%s): mail is sent, but some restores of the database aren't"
                " recognised",
                self._path,
                error.strerror or error,
            )


def _read(file: int) -> Mark | None:
    try:
        return _parsed(os.pread(file, _SIZE, 0))
    except ValueError:
        return None


def _write(file: int, mark: Mark) -> None:
    os.pwrite(file, " ".join(map(str, astuple(mark))).encode("ascii").ljust(_SIZE - 1) + b"\n", 0)


def _parsed(content: bytes) -> Mark:
    folder, *numbers = content.decode("ascii").split()
    epoch, count, runs, timeline, position = map(int, numbers)
    return Mark(folder, epoch, count, runs, timeline, position)


def mark_file(instance: Instance) -> MarkFile:
    """Return the file of the instance's data folder."""
    return instance.shared(MarkFile)
