"""The files of an export: compressed or not, alone or in a ZIP archive, of a limited size."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from masthead import HEAD_SIZE, Invalid, kind_of_file, open_with_progress

MIB = 1024 * 1024
LARGEST_MEMBER = 8 * 1024 * MIB
"""The maximum size of an unpacked file that is read piece by piece."""
LARGEST_IN_MEMORY = 256 * MIB
"""The maximum size of a file that is read at once."""
MOST_MEMBERS = 100_000
_ZIP = "a ZIP archive"


class Stream(Protocol):
    """A file that is read piece by piece."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""


def wrong_kind(path: Path, wanted: str) -> Invalid:
    """Return the refusal of a file of another format.

    :param wanted: the format that was expected, such as "a WordPress export".
    """
    with path.open("rb") as file:
        kind = kind_of_file(file.read(HEAD_SIZE))
    if path.stat().st_size == 0:
        kind = "empty"
    return Invalid(f"{path.name} is {kind or 'something else'}, not {wanted}")


def is_zip(path: Path) -> bool:
    """Whether a file is a ZIP archive."""
    with path.open("rb") as file:
        return kind_of_file(file.read(HEAD_SIZE)) == _ZIP


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a ZIP archive.

    :raises Invalid: if it is damaged, encrypted, or has too many files.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > MOST_MEMBERS:
                raise Invalid(f"{path.name} contains more than {MOST_MEMBERS} files")
            yield archive
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
        raise Invalid(f"{path.name} is damaged: {error}") from error
    except RuntimeError as error:
        if "password" not in str(error):
            raise
        raise Invalid(f"{path.name} is encrypted") from error


def read_member(archive: zipfile.ZipFile, name: str, most: int = LARGEST_IN_MEMORY) -> bytes:
    """Return the bytes of a file in an archive.

    :raises Invalid: if there are more than ``most``.
    """
    with archive.open(name) as member:
        # The size in the archive's directory may be wrong.
        content = member.read(most + 1)
    if len(content) > most:
        raise Invalid(f"{name} is larger than {most // MIB} MiB")
    return content


@contextmanager
def open_streams(path: Path, suffix: str, progress: str) -> Iterator[Iterator[tuple[str, Stream]]]:
    """Open a file, or the files of a ZIP archive, one after the other.

    :param suffix: the end of the names of the wanted files in an archive.
    :param progress: the description of the progress bar.
    """
    if is_zip(path):
        with open_archive(path) as archive, closing(_members(archive, suffix)) as members:
            yield members
        return
    with path.open("rb") as file, open_with_progress(file, progress) as stream:
        yield iter([(path.name, _Limited(stream, path.name))])


def _members(archive: zipfile.ZipFile, suffix: str) -> Generator[tuple[str, Stream], None, None]:
    for name in sorted(archive.namelist()):
        # macOS adds a hidden copy of the attributes of each file.
        if name.lower().endswith(suffix) and not name.startswith("__MACOSX/"):
            with archive.open(name) as member:
                yield name, _Limited(member, name)


class _Limited:
    """A stream that refuses to be larger than an export can be."""

    def __init__(self, stream: Stream, name: str) -> None:
        self._stream, self._name, self._left = stream, name, LARGEST_MEMBER

    def read(self, size: int, /) -> bytes:
        piece = self._stream.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise Invalid(f"{self._name} is larger than {LARGEST_MEMBER // MIB} MiB")
        return piece
