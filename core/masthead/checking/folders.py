"""Folders and files of an instance; the messages name the setting, the file and the user."""

from __future__ import annotations

import errno
import getpass
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from masthead.errors import StartError
from masthead.instance import DATA, DATABASE_URL, Instance

_PROBE_BYTES = bytes(256 * 1024)  # more than most transactions add to the log of SQLite
_DISKS = {
    errno.ENOSPC: "its disk is full",
    errno.EDQUOT: "its quota is used up",
    errno.EROFS: "its file system is read-only",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
}
_HEADER = b"SQLite format 3\0"
"""The first bytes of every SQLite database."""


def user_name() -> str:
    """Return the name of the user who runs this process, or the number of a user without a name."""
    try:
        return getpass.getuser()
    # Since Python 3.13 it raises OSError, before that KeyError.
    except (OSError, KeyError):
        return str(os.getuid())


def make_data_folder(instance: Instance) -> None:
    """Create the data folder, and check that SQLite and the secret can be written to it.

    :raises StartError: if that is impossible, with the setting and the user.
    """
    with naming_settings(instance):
        # Private, because it contains secrets.
        instance.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    reason = write_trouble(instance.data) if instance.database.dialect == "sqlite" else None
    if reason:
        raise StartError(f"{DATA.name}: {reason}")


@contextmanager
def naming_settings(instance: Instance) -> Iterator[None]:
    """Turn an error of a file or folder in the block into one that names its setting and the user.

    :raises StartError: in place of an OSError.
    """
    try:
        yield
    except OSError as error:
        path = error.filename or instance.data
        own = Path(path).is_relative_to(instance.data) or instance.data.is_relative_to(path)
        name = DATA.name if own else DATABASE_URL.name
        raise StartError(f"{name}: {trouble_of(path, error)}") from error


def write_trouble(folder: Path) -> str | None:
    """Return why this user can't create a file in a folder; None if it is possible."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return trouble_of(folder, error)


def database_file_trouble(instance: Instance) -> str | None:
    """Return why this user can't use the file of a SQLite database; None for another database."""
    if instance.database.dialect != "sqlite":
        return None
    path = Path(instance.database.url.database or "")
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except FileNotFoundError:
        return (
            f"there is no file {path}; run masthead db upgrade to create it, or name the"
            " configuration file of another database by -c or MASTHEAD_CONFIG"
        )
    except OSError as error:
        return trouble_of(path, error)
    if not head:
        return f"{path} has 0 bytes; restore a backup, or delete the file to begin anew"
    if head != _HEADER:
        return f"{path} is no SQLite database; correct {DATABASE_URL.name}, or restore a backup"
    return _refusal_of(path)


def _refusal_of(file: Path) -> str | None:
    """Return why this user can't write a file, or others beside it as SQLite does."""
    refused = [each for each in (file, file.parent) if not os.access(each, os.W_OK)]
    if refused:
        return f"the user {user_name()} may not write {refused[0]}"
    reason = disk_trouble(file.parent)
    return f"{file.parent} can't be written: {reason}" if reason else None


def disk_trouble(folder: Path) -> str | None:
    """Write a file without a name, and return why that fails; a missing folder is no trouble."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(_PROBE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _DISKS.get(error.errno or 0, (error.strerror or "unknown error").lower())
    return None


def trouble_of(path: object, error: OSError) -> str:
    """Return one line that names the user, the path and the reason of an error."""
    why = (error.strerror or str(error)).lower()
    return f"the user {user_name()} can't use {path}: {why}"
