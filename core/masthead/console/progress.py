"""Progress bars on terminals."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import BinaryIO, cast

from masthead.errors import Invalid
from masthead.transfer.folder import ReportProgress

_GZIP = b"\x1f\x8b"


@contextmanager
def open_with_progress(file: BinaryIO, description: str) -> Iterator[BinaryIO]:
    """Open a file, decompressed if it is gzip, with a progress bar if stderr is a terminal.

    :raises Invalid: if the compressed data is damaged.
    """
    packed = _is_packed(file)
    with _bar(file, description) as shown:
        if not packed:
            yield shown
            return
        try:
            with gzip.open(shown) as unpacked:
                yield cast("BinaryIO", unpacked)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Invalid(f"The file is damaged: {error}") from error


@contextmanager
def show_progress_bars() -> Iterator[ReportProgress]:
    """Show reported progress on a terminal, with a bar for each part of the work."""
    from rich.console import Console
    from rich.progress import Progress, TaskID

    console = Console(stderr=True)
    bars: dict[str, TaskID] = {}
    with Progress(console=console, disable=not console.is_terminal) as progress:

        def report(what: str, done: int, total: int) -> None:
            if what not in bars:
                bars[what] = progress.add_task(what, total=total)
            progress.update(bars[what], completed=done)

        yield report


@contextmanager
def _bar(file: BinaryIO, description: str) -> Iterator[BinaryIO]:
    if not sys.stderr.isatty():
        yield file
        return
    from rich.console import Console
    from rich.progress import wrap_file

    size = os.fstat(file.fileno()).st_size
    with wrap_file(file, size, description=description, console=Console(stderr=True)) as shown:
        yield shown


def _is_packed(file: BinaryIO) -> bool:
    if isinstance(file, BufferedReader):
        return file.peek(len(_GZIP)).startswith(_GZIP)
    if not file.seekable():
        return False
    head = file.read(len(_GZIP))
    file.seek(0)
    return head == _GZIP
