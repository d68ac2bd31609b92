"""How far a command has come, shown where somebody looks on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

__all__ = ["show_progress"]


@contextmanager
def show_progress(file: BinaryIO, description: str) -> Iterator[BinaryIO]:
    """Give the file, with a bar that shows on a terminal how much of it is read."""
    if not sys.stderr.isatty():
        yield file
        return
    from rich.console import Console
    from rich.progress import wrap_file

    size = os.fstat(file.fileno()).st_size
    with wrap_file(file, size, description=description, console=Console(stderr=True)) as shown:
        yield shown
