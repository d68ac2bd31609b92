"""Checks of the machine: settings in force, folders, free space, the Python that runs."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from masthead.checking.folders import write_trouble
from masthead.cli.runtime import vulnerable_python
from masthead.errors import StartError
from masthead.http.routes import BASE_URL
from masthead.instance import DATA, Check, Instance
from masthead.server.options import CONNECTIONS, TRUSTED_PROXIES
from masthead.server.serving import lack_of_files
from masthead.worker.jobs import jobs_of

_MIB = 1024 * 1024
_ENOUGH_FREE = 2048 * _MIB
_ENOUGH_SHARE = 0.05
_SAMPLES = frozenset(
    ("password", "passwort", "secret", "changeme", "change-me", "masthead", "postgres", "example")
)
"""Passwords of samples, among them those of the documentation."""


def checks() -> list[Check]:
    """Return the checks of this module."""
    return [
        Check(
            "settings.unknown",
            doubts_trouble,
            readiness=False,
            level="warning",
            remedy="correct or remove it in the environment or the configuration file",
        ),
        Check(
            "start",
            start_trouble,
            readiness=False,
            remedy="correct the setting, or the plugin, that the line names",
            status=False,
        ),
        Check(
            "settings.samples",
            samples_trouble,
            readiness=False,
            remedy="choose another password, and change it in the service as well",
        ),
        Check(
            "data.folder",
            folder_trouble,
            readiness=False,
            remedy=f"let the user of the service own the folder (chown), and name it in"
            f" ReadWritePaths of the systemd unit, or correct {DATA.name}",
        ),
        Check(
            "data.private",
            private_trouble,
            readiness=False,
            level="warning",
            remedy="chmod go= each of them",
            status=False,
        ),
        Check(
            "data.space",
            space_trouble,
            readiness=False,
            level="warning",
            remedy="free space, or move the folder to a larger disk",
        ),
        Check(
            "server.files",
            files_trouble,
            readiness=False,
            level="warning",
            remedy=f"raise LimitNOFILE in the systemd unit, or lower {CONNECTIONS.name}",
        ),
        Check(
            "proxy",
            proxy_trouble,
            readiness=False,
            level="warning",
            remedy=f"set {TRUSTED_PROXIES.name} to the addresses of the reverse proxy",
        ),
        Check(
            "python",
            python_trouble,
            readiness=False,
            level="warning",
            remedy="upgrade Python",
            status=False,
        ),
    ]


def doubts_trouble(instance: Instance) -> str | None:
    """Return the unknown keys and environment variables, and the deprecated settings."""
    return "; ".join(instance.doubts) or None


def start_trouble(instance: Instance) -> str | None:
    """Return the first mistake in settings and plugins that stops a server or a worker."""
    try:
        # A start makes both.
        jobs_of(instance)
        list(instance.endpoints)
    except StartError as error:
        return str(error)
    return None


def samples_trouble(instance: Instance) -> str | None:
    """Return the settings whose address has a password that samples show, without the password."""
    found = [name for name, password in _passwords(instance) if password.lower() in _SAMPLES]
    return f"the password of a sample is in {', '.join(found)}" if found else None


def folder_trouble(instance: Instance) -> str | None:
    """Return why the data folder can't be used."""
    folder = instance.data
    # The start and uploads create a missing folder.
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    reason = write_trouble(folder)
    return f"{DATA.name}: {reason}" if reason else None


def private_trouble(instance: Instance) -> str | None:
    """Return the files with secrets or personal data that other users of the machine can read."""
    file = instance.database.url.database if instance.database.dialect == "sqlite" else None
    paths = [instance.data, instance.data / "auth.secret", *([Path(file)] if file else [])]
    # The folder keeps others away from everything in it.
    if paths[0].exists() and not _is_public(paths[0]):
        paths = [each for each in paths if not each.is_relative_to(instance.data)]
    public = [str(each) for each in paths if each.exists() and _is_public(each)]
    return f"other users may read {', '.join(public)}" if public else None


def space_trouble(instance: Instance) -> str | None:
    """Return the folders whose disk is nearly full."""
    folders = [instance.data]
    if instance.database.dialect == "sqlite":
        folders.append(Path(instance.database.url.database or "").parent)
    found = {each: trouble for each in folders if (trouble := little_space(each))}
    return "; ".join(found.values()) or None


def little_space(folder: Path) -> str | None:
    """Return the free space of a folder's disk if it is little."""
    try:
        disk = shutil.disk_usage(folder)
    except OSError:
        return None
    if disk.free >= min(_ENOUGH_FREE, _ENOUGH_SHARE * disk.total):
        return None
    return f"the disk of {folder} has only {disk.free // _MIB} MiB left"


def files_trouble(instance: Instance) -> str | None:
    """Return whether this process may open fewer files than the server needs."""
    return lack_of_files(instance.settings[CONNECTIONS])


def proxy_trouble(instance: Instance) -> str | None:
    """Return whether visitors come through a proxy that isn't trusted."""
    if instance.settings[TRUSTED_PROXIES] or not instance.settings[BASE_URL].startswith("https:"):
        return None
    return (
        f"{BASE_URL.name} uses https, so a proxy is in front, but {TRUSTED_PROXIES.name} is blank:"
        " all visitors count as one address"
    )


def python_trouble(_instance: Instance) -> str | None:
    """Return a known vulnerability of this Python."""
    return vulnerable_python(*sys.version_info[:3])


def _passwords(instance: Instance) -> Iterator[tuple[str, str]]:
    for setting in instance.declared.values():
        value = instance.settings[setting] if setting.secret else None
        if isinstance(value, str) and "://" in value:
            password = unquote(urlsplit(value).password or "")
            if password:
                yield setting.name, password


def _is_public(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO))
