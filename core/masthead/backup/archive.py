"""The file of a backup: a ZIP archive, whose members are verified by their checksums.

A ZIP archive ends with the list of its members, so an incomplete file is recognised at once. Names
in an archive never become paths: members are looked up by names that the reader knows.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from masthead.errors import StartError
from masthead.transfer.folder import open_new

CHUNK = 1024 * 1024
_FAST = 1
"""The level of compression; higher ones take several times as long and save little."""


@dataclass(frozen=True)
class Member:
    """The size and the checksum of a member."""

    size: int
    sha256: str


class ArchiveWriter:
    """Writes a new archive."""

    def __init__(self, path: Path) -> None:
        self._file = open_new(path)
        self._zip = ZipFile(self._file, "w", compresslevel=_FAST)

    def add(self, name: str, chunks: Iterable[bytes], *, compress: bool = False) -> Member:
        """Add a member."""
        info = ZipInfo(name)
        info.compress_type = ZIP_DEFLATED if compress else ZIP_STORED
        info.external_attr = 0o600 << 16
        # ZipFile.open() doesn't apply the level of the archive.
        info._compresslevel = _FAST  # type: ignore[attr-defined]  # noqa: SLF001
        size, digest = 0, hashlib.sha256()
        with self._zip.open(info, "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        return Member(size, digest.hexdigest())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._file:
            if kind is None:
                self._zip.close()
            else:
                # The archive is given up; closing it may fail for the same reason.
                with suppress(Exception):
                    self._zip.close()


class Archive:
    """Reads an archive."""

    def __init__(self, path: Path, archive: ZipFile) -> None:
        self.path = path
        self._zip = archive

    def size(self, name: str) -> int:
        """Return the size of a member.

        :raises StartError: if there is no such member.
        """
        return self._info(name).file_size

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member.

        :raises StartError: if it is missing or damaged.
        """
        with self._complaining(name), self._zip.open(self._info(name)) as stream:
            yield stream

    def read(self, name: str, expected: Member) -> Iterator[bytes]:
        """Yield the bytes of a member, and verify them at the end.

        :raises StartError: if it is missing or differs from what is expected.
        """
        size, digest = 0, hashlib.sha256()
        with self.open(name) as stream:
            # The size is known before, so that a small file can't grow to an enormous one.
            while size <= expected.size and (chunk := stream.read(CHUNK)):
                size += len(chunk)
                digest.update(chunk)
                yield chunk
        if (size, digest.hexdigest()) != (expected.size, expected.sha256):
            raise StartError(f"{self.path} was changed: {name} has another checksum")

    def verify(self, name: str, expected: Member) -> None:
        """Verify a member.

        :raises StartError: if it is missing or differs from what is expected.
        """
        for _ in self.read(name, expected):
            pass

    def _info(self, name: str) -> ZipInfo:
        try:
            return self._zip.getinfo(name)
        except KeyError:
            raise StartError(f"{self.path} lacks {name}") from None

    @contextmanager
    def _complaining(self, name: str) -> Iterator[None]:
        try:
            yield
        # The library raises many types of errors for damaged and for unsupported members.
        except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
            raise StartError(f"{self.path} is damaged: {name} can't be read ({error})") from error


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open the file of a backup.

    :raises StartError: if it can't be read, or is no archive or an incomplete one.
    """
    try:
        if not path.is_file():
            raise StartError(f"there is no file {path}")
        archive = ZipFile(path)
    except (BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise StartError(f"{path} is no backup, or an incomplete one: {error}") from None
    except OSError as error:
        raise StartError(f"{path} can't be read: {error.strerror or error}") from None
    with archive:
        yield Archive(path, archive)
