"""The checks of the storage of images, for the start, ``GET /status`` and ``masthead doctor``."""

from __future__ import annotations

import errno
import getpass
import os
import re
import secrets
import shutil
import tempfile
from datetime import datetime, timedelta
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from masthead import Check, Instance, Trouble, utcnow
from masthead_media.services.delivery import delivery_trouble, direct_address
from masthead_media.services.serving import StoredFile
from masthead_media.settings import PUBLIC_URL, STORAGE
from masthead_media.storage import Storage, open_storage

_PROBE = "probes"
"""The prefix of the keys that are written and deleted again."""
_FETCH_SECONDS = 4
_SKEW = timedelta(seconds=30)
_MIB = 1024 * 1024
_LITTLE_SPACE = 1024 * _MIB
_LITTLE_SHARE = 0.05
_CODE = re.compile(r"<Code>(\w+)</Code>")
_SYSTEM = re.compile(r'message: "([^"]+)"')
_QUERY = re.compile(r"\?\S*")
"""The query of an address in a message, which may have a signature."""
_METADATA = "169.254.169.254"
"""The service that the library asks for credentials if there are none."""
_MORE_SPACE = "free space, or move the images to a larger disk"
_FULL = (errno.ENOSPC, errno.EDQUOT)
_PROBED = (".", "images", "renditions")


def checks() -> list[Check]:
    """Return the checks of the storage."""
    return [
        Check(
            "media.storage",
            storage_trouble,
            readiness=False,
            remedy=f"correct {STORAGE.name}, its credentials or the rights of the folder; a folder"
            " outside of the data folder needs ReadWritePaths in the systemd unit",
        ),
        Check("media.delivery", delivery_trouble, start=True),
        Check(
            "media.address",
            address_trouble,
            readiness=False,
            remedy=f"allow everybody to read the files, and correct {PUBLIC_URL.name} or the"
            f" endpoint in {STORAGE.name}",
        ),
        Check(
            "media.space",
            space_trouble,
            readiness=False,
            level="warning",
            remedy=_MORE_SPACE,
        ),
    ]


def storage_trouble(instance: Instance) -> str | None:
    """Write, read and delete a file in the storage; return why that fails, or a wrong clock."""
    storage = open_storage(instance.settings[STORAGE], instance.data, probes=True)
    if storage.folder is not None:
        found = (_folder_trouble(storage.folder / each) for each in _PROBED)
        return next((trouble for trouble in found if trouble), None)
    key = f"{_PROBE}/{secrets.token_hex(8)}"
    try:
        written = _write_and_read(storage, key)
    # The library raises classes of its own and those of the system.
    except Exception as error:  # noqa: BLE001
        return f"{place_of(instance)} can't be used: {_reason(error)}"
    ahead = utcnow() - written
    if abs(ahead) <= _SKEW:
        return None
    side = "ahead of" if ahead > timedelta(0) else "behind"
    seconds = int(abs(ahead).total_seconds())
    return f"this machine's clock is {seconds} s {side} that of {place_of(instance)}"


def address_trouble(instance: Instance) -> str | None:
    """Read a file in the storage at the address that clients get; return why that fails."""
    key = f"{_PROBE}/{secrets.token_hex(8)}"
    direct = direct_address(instance, StoredFile(key, "application/octet-stream", 0, 0))
    if direct is None:
        return None
    storage = open_storage(instance.settings[STORAGE], instance.data, probes=True)
    probe = secrets.token_bytes(64)
    try:
        storage.put(key, probe, "application/octet-stream")
    # The check of the storage reports it.
    except Exception:  # noqa: BLE001
        return None
    try:
        right, reason = _fetch(direct.url) == probe, "it returns other bytes than written"
    except (OSError, HTTPException) as error:
        right, reason = False, str(error)
    finally:
        storage.delete([key])
    place = _QUERY.sub("", direct.url)
    return None if right else f"clients can't read images at {place}: {reason}"


def space_trouble(instance: Instance) -> str | None:
    """Return the free space of the folder of images if it is little and on a disk of its own."""
    folder = open_storage(instance.settings[STORAGE], instance.data).folder
    if folder is None or not folder.exists():
        return None
    disk = shutil.disk_usage(folder)
    same = instance.data.exists() and instance.data.stat().st_dev == folder.stat().st_dev
    if same or disk.free >= min(_LITTLE_SPACE, _LITTLE_SHARE * disk.total):
        return None
    return f"the disk of {folder} has only {disk.free // _MIB} MiB left"


def place_of(instance: Instance) -> str:
    """Return the storage without the keys in its address."""
    url = instance.settings[STORAGE]
    if not url:
        return str(instance.data / "media")
    parts = urlsplit(url)
    return parts._replace(query="").geturl()


def _folder_trouble(folder: Path) -> str | None:
    """Return why files can't be written; a missing folder must be possible to create."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    probe = secrets.token_bytes(64)
    try:
        # A file without a name leaves nothing behind, also if another user runs this.
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(probe)
            os.fsync(file.fileno())
            file.seek(0)
            return None if file.read() == probe else f"{folder} returns other bytes than written"
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        found = f"the user {getpass.getuser()} can't write to {folder}: {reason}"
        return Trouble(found, _MORE_SPACE) if error.errno in _FULL else found


def _write_and_read(storage: Storage, key: str) -> datetime:
    """Return the time of writing by the clock of the storage."""
    probe = secrets.token_bytes(64)
    storage.put(key, probe, "application/octet-stream")
    try:
        if storage.get(key) != probe:
            raise OSError("it returns other bytes than written")
        return storage.written_at(key)
    finally:
        storage.delete([key])


def _fetch(url: str) -> bytes:
    """Return the first bytes at an address of the storage."""
    with urlopen(url, timeout=_FETCH_SECONDS) as answer:  # noqa: S310 - a setting names the host
        content: bytes = answer.read(_MIB)
        return content


def _reason(error: Exception) -> str:
    """Return the words of the storage, without the long description of the library."""
    text = str(error)
    if _METADATA in text:
        return "there are no credentials"
    first = _QUERY.sub("", text.partition("\n")[0].partition(": <")[0])
    causes = [*_CODE.findall(text), *_SYSTEM.findall(text)[-1:]]
    return f"{', '.join(dict.fromkeys(causes))} ({first})" if causes else first
