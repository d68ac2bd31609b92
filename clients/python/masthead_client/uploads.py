"""The files of uploads, which are read while they are sent."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

File = str | os.PathLike[str] | IO[bytes] | tuple[str, bytes]
"""The path of a file, an open binary file, or a name and bytes."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes sent so far, and all bytes of the file if their number is known."""


@contextmanager
def opened(file: File, progress: Progress | None) -> Iterator[tuple[str, IO[bytes]]]:
    """Return the name and the open file; a file that was given by its path is closed at the end."""
    if isinstance(file, str | os.PathLike):
        with Path(file).open("rb") as content:
            yield Path(file).name, _sent(content, progress)
    elif isinstance(file, tuple):
        yield file[0], _sent(io.BytesIO(file[1]), progress)
    else:
        given: object = file
        if isinstance(given, io.TextIOBase):
            raise TypeError("the file has to be open in binary mode")
        name = getattr(file, "name", None)
        yield Path(name).name if isinstance(name, str) else "file", _sent(file, progress)


def _sent(file: IO[bytes], progress: Progress | None) -> IO[bytes]:
    # httpx uses only these methods of a file.
    return cast(IO[bytes], _SentFile(file, progress))


class _SentFile:
    """An open file that reports how much of it has been read.

    It hides the number of the file, by which httpx would find a size without unwritten buffers.
    """

    def __init__(self, file: IO[bytes], progress: Progress | None) -> None:
        self._file = file
        self._progress = progress
        self._total = _size(file)
        self._sent = 0

    def tell(self) -> int:
        """Return the position."""
        return self._file.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position; the bytes before it don't count as sent."""
        self._sent = 0
        return self._file.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        """Read, and report it."""
        chunk = self._file.read(size)
        self._sent += len(chunk)
        if chunk and self._progress is not None:
            self._progress(self._sent, self._total)
        return chunk


def _size(file: IO[bytes]) -> int | None:
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    except OSError:  # a pipe
        return None
    return size
