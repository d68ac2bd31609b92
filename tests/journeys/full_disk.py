"""A disk that becomes full, and a message of a visitor that needs space on it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

CONTACT = {
    "name": "Ada",
    "email": "ada@example.org",
    "subject": "A subject",
    "message": "A message " * 400,
}


def fill(file: Path) -> None:
    """Fill the disk of a file with the file."""
    with file.open("wb", buffering=0) as opened, suppress(OSError):
        while opened.write(bytes(4096)) == 4096:
            pass
