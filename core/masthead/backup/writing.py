"""Making of a backup while the instance runs."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy.orm import Session

from masthead.backup import postgresql, sqlite
from masthead.backup.archive import ArchiveWriter, Member, open_archive
from masthead.backup.folder import SharedFiles, delete_old, drafting, name_at
from masthead.backup.manifest import (
    DatabasePart,
    Entry,
    FilesPart,
    Manifest,
    member_name,
    write_list,
)
from masthead.backup.models import STATE_ID, BackupState
from masthead.backup.verifying import verify
from masthead.checking.folders import trouble_of
from masthead.db import utcnow
from masthead.db.direct import direct_url
from masthead.db.kit.steps import newest
from masthead.db.status import migrated, states
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.transfer.files import KeptFiles, kept_files
from masthead.transfer.folder import ReportProgress, check_key, one_line

_MIB = 1024 * 1024
_SQLITE = 3


@dataclass(frozen=True)
class Backup:
    """A backup that was made."""

    path: Path
    size: int
    missing: Sequence[str]
    """The files that rows of the database name and that the storage doesn't have."""
    deleted: Sequence[str]
    """The names of the old backups that were deleted."""


def make_backup(
    instance: Instance,
    target: Path,
    report: ReportProgress,
    *,
    incremental: bool = False,
    keep: int | None = None,
) -> Backup:
    """Write a backup, and verify it; the file appears complete and at once.

    :param target: a folder, in which the name of the file is the time, or a new file whose name
        ends with ``.zip``.
    :param incremental: whether files such as images are stored beside it, shared with others.
    :param keep: the number of backups to keep in the folder; None keeps all.
    :raises StartError: with the reason if there is no backup.
    """
    _check_migrated(instance)
    made_at = utcnow()
    path = target / name_at(made_at) if target.is_dir() else target
    if path.suffix != ".zip":
        raise StartError(f"{path} is no folder, and the name of a new file has to end with .zip")
    if os.path.lexists(path):
        raise StartError(f"{path} exists already")
    try:
        with drafting(path.parent) as draft:
            _check_space(instance, path.parent)
            writer = _Writer(instance, draft, path.parent, report, incremental=incremental)
            missing = writer.write(made_at)
            manifest = verify(writer.path, path.parent, report)
            _verify_dump(instance, writer.path, manifest.database)
            size = writer.path.stat().st_size
            sqlite.publish(writer.path, path)
            _record(instance, made_at, size)
            old = [] if keep is None else _delete_old(path, keep, instance.database.place)
    except OSError as error:
        trouble = trouble_of(path.parent.absolute(), error)
        raise StartError(f"no backup was made: {trouble}") from error
    return Backup(path, size, missing, old)


def _delete_old(path: Path, keep: int, place: str) -> list[str]:
    try:
        return delete_old(path.parent, keep, place)
    except OSError as error:
        trouble = trouble_of(error.filename or path.parent, error)
        raise StartError(f"{path} is complete, but old backups are left: {trouble}") from error


class _Writer:
    """Writes the parts of one backup into a draft."""

    def __init__(
        self,
        instance: Instance,
        draft: Path,
        folder: Path,
        report: ReportProgress,
        *,
        incremental: bool,
    ) -> None:
        self._instance = instance
        self._draft = draft
        self._report = report
        self._shared = SharedFiles(folder) if incremental else None
        self._stored: dict[str, dict[str, Member]] = {}
        self.path = draft / "backup"
        self._archive = ArchiveWriter(self.path)

    def write(self, made_at: datetime) -> list[str]:
        """Write the archive durably, and return the missing files."""
        database, kinds = self._instance.database, kept_files(self._instance)
        with self._archive:
            # Files are stored before the snapshot, because one that is deleted after it would be
            # missing. The snapshot then lacks only the few that were added meanwhile.
            with database.session(read_only=True) as session:
                keys = {each.name: list(each.keys(session)) for each in kinds}
            for each in kinds:
                self._store(each, keys[each.name])
            keys, part, plugins = self._snapshot(kinds)
            parts = [self._list(each.name, keys[each.name]) for each in kinds]
            missing = [
                f"{name}/{key}" for name in keys for key in keys[name] if not self._has(name, key)
            ]
            core = version("masthead-core")
            Manifest(made_at, core, newest(), plugins, part, parts, missing).write(self._archive)
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
            # Otherwise the verification would read the memory, not the disk.
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return missing

    def _snapshot(
        self, kinds: Sequence[KeptFiles]
    ) -> tuple[dict[str, list[str]], DatabasePart, list[dict[str, str | None]]]:
        """Store the database, and the files that it names; return their keys and the plugins."""
        database = self._instance.database
        of_postgresql = database.dialect == "postgresql"
        number = postgresql.server_version(database) if of_postgresql else _SQLITE
        with database.session(read_only=True) as session:
            snapshot = postgresql.hold_snapshot(session) if of_postgresql else ""
            keys = {each.name: list(each.keys(session)) for each in kinds}
            plugins = _plugins(session, self._instance)
            for each in kinds:
                self._store(each, keys[each.name])
            if of_postgresql:
                url = direct_url(database, self._instance.settings)
                chunks = self._counted(postgresql.dump(url, number, snapshot))
            else:
                chunks = sqlite.dump(session, database, self._draft / "copy", self._report)
            name = member_name(database.dialect)
            member = self._archive.add(name, chunks, compress=not of_postgresql)
        part = DatabasePart(database.dialect, number, database.place, member.size, member.sha256)
        return keys, part, plugins

    def _store(self, files: KeptFiles, keys: Sequence[str]) -> None:
        """Store the files that aren't stored yet."""
        known = self._shared.find(files.name) if self._shared else {}
        stored = self._stored.setdefault(files.name, {})
        for done, key in enumerate(keys, 1):
            if key not in stored:
                member = known.get(key) or self._store_one(files, key)
                if member is not None:
                    stored[key] = member
            self._report(files.name, done, len(keys))

    def _store_one(self, files: KeptFiles, key: str) -> Member | None:
        try:
            content = files.read(check_key(key))
        except FileNotFoundError:
            return None
        except Exception as error:
            # Each storage has its own types of errors.
            raise StartError(f"{files.name}/{key} can't be read: {one_line(error)}") from error
        if self._shared is None:
            return self._archive.add(f"files/{files.name}/{key}", [content])
        member = Member(len(content), hashlib.sha256(content).hexdigest())
        self._shared.store(self._draft, files.name, key, member, content)
        return member

    def _has(self, name: str, key: str) -> bool:
        return key in self._stored[name]

    def _list(self, name: str, keys: Sequence[str]) -> FilesPart:
        stored = self._stored[name]
        entries = [Entry(key, stored[key]) for key in keys if key in stored]
        member = write_list(self._archive, name, entries)
        shared = self._shared is not None
        return FilesPart(name, len(entries), shared, member.size, member.sha256)

    def _counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        total, done = postgresql.size(self._instance.database), 0
        for chunk in chunks:
            done += len(chunk)
            # A dump is smaller than the database.
            self._report("database", min(done, total), total)
            yield chunk
        self._report("database", total, total)


def _plugins(session: Session, instance: Instance) -> list[dict[str, str | None]]:
    versions = {plugin.name: plugin.version for plugin in instance.plugins}
    return [
        {"name": each.plugin, "version": versions[each.plugin], "revision": each.revision}
        for each in states(session.connection(), migrated(instance.plugins))
    ]


def _check_migrated(instance: Instance) -> None:
    """Check that the database has the table that every backup leaves blank.

    :raises StartError: if it is too old.
    """
    with instance.database.read() as connection:
        found = states(connection, migrated(instance.plugins))
    wrong = next((each.trouble for each in found if each.plugin == "core"), None)
    if wrong:
        raise StartError(f"{wrong}; run masthead db upgrade")


def _check_space(instance: Instance, folder: Path) -> None:
    """Check the free space, as far as the size of the backup can be told.

    :raises StartError: if it isn't enough.
    """
    database = instance.database
    if database.dialect == "sqlite":
        # A copy, and its compressed form.
        needed = 2 * Path(str(database.url.database)).stat().st_size
    else:
        needed = postgresql.size(database)
    with database.session(read_only=True) as session:
        last = session.get(BackupState, STATE_ID)
        needed = max(needed, (last and last.size) or 0)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StartError(
            f"the disk of {folder} has {free // _MIB} MiB left; a backup may need"
            f" {needed // _MIB + 1} MiB"
        )


def _verify_dump(instance: Instance, path: Path, part: DatabasePart) -> None:
    """Let PostgreSQL's own program read the dump; the copy of SQLite was checked before."""
    if part.dialect == "postgresql":
        with open_archive(path) as archive:
            chunks = archive.read(part.name, part.member)
            postgresql.verify(instance.database, part.version, chunks)


def _record(instance: Instance, made_at: datetime, size: int) -> None:
    with instance.database.transaction() as session:
        state = session.get(BackupState, STATE_ID)
        if state is not None:
            state.made_at, state.size = made_at, size
