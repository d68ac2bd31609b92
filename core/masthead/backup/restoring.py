"""Restore of a backup into an empty place: all of it, or nothing.

The whole backup is verified before anything is stored. The database appears last and at once, so a
restore that is killed leaves only files behind, which the next one replaces.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from masthead.backup import postgresql, sqlite
from masthead.backup.archive import Archive, open_archive
from masthead.backup.manifest import FilesPart, Manifest, read_list
from masthead.backup.verifying import content_of, verify
from masthead.checking.folders import make_data_folder, naming_settings
from masthead.db.direct import direct_url
from masthead.db.history import revisions_of
from masthead.db.kit.steps import newest
from masthead.db.status import migrated
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.transfer.files import KeptFiles, kept_files
from masthead.transfer.folder import ReportProgress, one_line

_MIB = 1024 * 1024
_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def restore_backup(instance: Instance, path: Path, report: ReportProgress) -> Manifest:
    """Restore a backup; the restore ends when the instance is prepared the next time.

    :returns: the manifest of the backup.
    :raises StartError: with the reason if it can't be restored.
    """
    database = instance.database
    direct = direct_url(database, instance.settings)
    with open_archive(path) as archive:
        manifest = Manifest.read(archive)
    files = {each.name: each for each in kept_files(instance)}
    _check_fits(instance, manifest, list(files))
    _check_empty(instance)
    _check_space(instance, manifest)
    verify(path, path.parent, report)
    make_data_folder(instance)
    with naming_settings(instance), open_archive(path) as archive:
        for part in manifest.files:
            _restore_files(archive, path.parent, part, files[part.name], report)
        chunks = archive.read(manifest.database.name, manifest.database.member)
        if database.dialect == "sqlite":
            sqlite.load(database, chunks)
        else:
            postgresql.load(database, direct, manifest.database.version, chunks)
    return manifest


def _restore_files(
    archive: Archive, folder: Path, part: FilesPart, files: KeptFiles, report: ReportProgress
) -> None:
    for done, entry in enumerate(read_list(archive, part), 1):
        content = b"".join(content_of(archive, folder, part, entry))
        try:
            files.write(entry.key, content)
        except Exception as error:
            raise StartError(
                f"{part.name}/{entry.key} can't be stored: {one_line(error)}"
            ) from error
        report(part.name, done, part.count)


def _check_fits(instance: Instance, manifest: Manifest, files: Sequence[str]) -> None:
    """Check that this instance can use the backup.

    :raises StartError: with the reason if it can't.
    """
    there, here = manifest.database.dialect, instance.database.dialect
    if there != here:
        raise StartError(
            f"the backup is of {_NAMES.get(there, there)}, and this instance has {_NAMES[here]};"
            " masthead export and import move an instance between them"
        )
    if here == "postgresql":
        version = postgresql.server_version(instance.database)
        if version < manifest.database.version:
            raise StartError(
                f"the backup is of PostgreSQL {manifest.database.version}, and this server is"
                f" PostgreSQL {version}"
            )
    _check_plugins(instance, manifest)
    unknown = [each.name for each in manifest.files if each.name not in files]
    if unknown:
        raise StartError(f"no plugin here has the files {unknown[0]!r} of the backup")


def _check_plugins(instance: Instance, manifest: Manifest) -> None:
    """Check that the code of this instance isn't older than the tables of the backup."""
    known = {plugin.name: plugin for plugin in migrated(instance.plugins)}
    missing = [each["name"] for each in manifest.plugins if each["name"] not in known]
    if missing:
        raise StartError(f"plugins of the backup aren't enabled here: {', '.join(missing)}")
    if manifest.kit > newest():
        raise StartError(
            f"the tables have kit {manifest.kit} in the backup, and masthead-core has kit"
            f" {newest()} here; install masthead-core {manifest.version} or newer"
        )
    for each in manifest.plugins:
        name, revision = each["name"], each["revision"]
        if revision is not None and revision not in revisions_of(known[name]):
            raise StartError(
                f"the tables of {name} are of revision {revision} in the backup, which the"
                f" installed version doesn't know; install {name} {each.get('version')} or newer"
            )


def _check_empty(instance: Instance) -> None:
    database = instance.database
    of_sqlite = database.dialect == "sqlite"
    found = sqlite.occupied(database) if of_sqlite else postgresql.occupied(database)
    if found:
        raise StartError(f"a restore needs an empty place, but there is {found}")


def _check_space(instance: Instance, manifest: Manifest) -> None:
    """Check the free space for the database; the size of the files isn't known."""
    if instance.database.dialect != "sqlite":
        return
    folder = Path(str(instance.database.url.database)).parent
    while not os.path.lexists(folder):
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < manifest.database.size:
        raise StartError(
            f"the disk of {folder} has {free // _MIB} MiB left; the database needs"
            f" {manifest.database.size // _MIB + 1} MiB"
        )
