"""The folder of backups: the files that they share, partial and old backups."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from masthead.backup.archive import Archive, Member, open_archive
from masthead.backup.manifest import Manifest, read_list
from masthead.errors import StartError
from masthead.transfer.folder import check_key, open_new

_SHARED = "files"
_DRAFT = ".masthead-backup."
_NAME = re.compile(r"masthead-\d{8}T\d{6}Z\.zip")
_SHA256_LENGTH = 64


def name_at(moment: datetime) -> str:
    """Return the name of the backup of a moment."""
    return f"masthead-{moment:%Y%m%dT%H%M%SZ}.zip"


@contextmanager
def drafting(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder for the parts of a backup, on the same disk; excludes others.

    :raises StartError: if another backup is being written to the folder.
    """
    import fcntl

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"another backup is being written to {folder}") from None
        # A killed backup has left its parts, and no other one runs.
        for left in folder.glob(f"{_DRAFT}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=_DRAFT, dir=folder) as draft:
            yield Path(draft)
    finally:
        os.close(lock)


class SharedFiles:
    """The files beside backups, each stored once; a name ends with the checksum of the bytes."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / _SHARED

    def find(self, files: str) -> dict[str, Member]:
        """Return the stored files of one kind by their keys."""
        found = {}
        base = self.root / files
        for place, _, names in os.walk(base):
            for name in names:
                key, dot, sha256 = name.rpartition(".")
                if dot and len(sha256) == _SHA256_LENGTH:
                    path = Path(place, name)
                    full = str(path.relative_to(base).with_name(key))
                    found[full] = Member(path.lstat().st_size, sha256)
        return found

    def path(self, files: str, key: str, sha256: str) -> Path:
        """Return the path of a file.

        :raises StartError: for a key that leads out of the folder.
        """
        path = self.root / files / check_key(f"{key}.{sha256}")
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise StartError(f"{path} leads out of the folder")
        return path

    def store(self, draft: Path, files: str, key: str, member: Member, content: bytes) -> None:
        """Store the bytes of a key durably; a file of this name is complete.

        :param draft: a folder on the same disk.
        """
        path = self.path(files, key, member.sha256)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = draft / "file"
        with open_new(part) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def delete_unused(self, used: set[str]) -> None:
        """Delete the files that no backup names.

        :param used: the paths of the others, relative to the folder.
        """
        for place, _, names in os.walk(self.root):
            for name in names:
                path = Path(place, name)
                if str(path.relative_to(self.root)) not in used:
                    path.unlink()


def delete_old(folder: Path, keep: int, place: str) -> list[str]:
    """Delete all but the newest backups of one database, and files that only they named.

    :param place: the address of the database.
    :returns: the names of the deleted backups.
    """
    own = [path.name for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    of_database = [name for name in sorted(own) if _place_of(folder / name) == place]
    old = of_database[:-keep]
    for name in old:
        (folder / name).unlink()
    used = _used_files(folder)
    if used is not None:
        SharedFiles(folder).delete_unused(used)
    return old


def _place_of(path: Path) -> str | None:
    try:
        with open_archive(path) as archive:
            return Manifest.read(archive).database.place
    except StartError:
        return None


def _used_files(folder: Path) -> set[str] | None:
    """Return the shared files that the backups in a folder name; None if one can't be read."""
    used = set[str]()
    for path in filter(Path.is_file, folder.iterdir()):
        try:
            with open_archive(path) as archive:
                used.update(_shared_of(archive))
        except StartError:
            # Other files may be in the folder, too. A backup may have any name that its user chose.
            if path.suffix == ".zip" or not os.access(path, os.R_OK):
                return None
    return used


def _shared_of(archive: Archive) -> Iterator[str]:
    for part in Manifest.read(archive).files:
        if part.shared:
            for entry in read_list(archive, part):
                yield f"{part.name}/{entry.key}.{entry.member.sha256}"
