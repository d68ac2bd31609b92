"""The files of an export: JSON lines, bytes by key, and their checksums.

Paths are derived from declared names and validated keys; the export itself contains no paths.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from masthead.errors import Invalid, StartError
from masthead.http.wire import parse_json

ReportProgress = Callable[[str, int, int], object]
"""Takes the progress of the work: the name of the current part, the amount done and the total."""
_MAX_LINE = 64 * 1024 * 1024
"""The maximum number of bytes in a line."""
_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*", re.ASCII)
_MAX_KEY = 500


def rows_of(folder: Path, table: str) -> Path:
    """Return the path of the file with the rows of a table."""
    return folder / "tables" / f"{table}.jsonl"


def list_of(folder: Path, files: str) -> Path:
    """Return the path of the file that lists the files of one kind."""
    return folder / "files" / f"{files}.jsonl"


def file_of(folder: Path, files: str, key: str) -> Path:
    """Return the path of the file with the bytes of a key.

    :raises StartError: for an invalid key, or a path that leads out of the folder.
    """
    path = folder / "files" / files / check_key(key)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise StartError(f"{path} leads out of the folder")
    return path


def check_key(key: str) -> str:
    """Return the key after validating it.

    :raises StartError: if it is invalid.
    """
    if not _KEY.fullmatch(key) or len(key) > _MAX_KEY:
        raise StartError(f"{key!r} can't be the key of a file")
    return key


def one_line(error: object) -> str:
    """Return the first line of an error's message."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def open_new(path: Path) -> BinaryIO:
    """Open a new file that only its owner can read, because exports contain personal data."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    return os.fdopen(descriptor, "wb")


class LinesWriter:
    """Writes a file of JSON lines and computes its checksum."""

    def __init__(self, path: Path) -> None:
        self._file = open_new(path)
        self._digest = hashlib.sha256()
        self.count = 0

    @property
    def sha256(self) -> str:
        """The checksum of the lines written so far, in hexadecimal."""
        return self._digest.hexdigest()

    def write(self, value: Mapping[str, Any]) -> None:
        """Write one line."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        line = text.encode() + b"\n"
        self._digest.update(line)
        self._file.write(line)
        self.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects in a file of JSON lines.

    :raises StartError: with the number of an invalid line.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_MAX_LINE + 1):
            number += 1
            if len(line) > _MAX_LINE:
                raise StartError(f"{path}, line {number}: It has more than {_MAX_LINE} bytes")
            try:
                yield parse_json(line)
            except Invalid as error:
                raise StartError(f"{path}, line {number}: {_of_line(error)}") from None


def check_digest(path: Path, sha256: str) -> None:
    """Verify the checksum of a file.

    :param sha256: the checksum in hexadecimal.
    :raises StartError: if it differs or the file is missing.
    """
    if path.is_symlink() or not path.is_file():
        raise StartError(f"{path} is missing")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise StartError(f"{path} was changed: its checksum is wrong")


def _of_line(error: Invalid) -> str:
    return error.message.replace("The body", "It")
