"""Export of a whole instance into a folder: a consistent snapshot, while the server runs."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from uuid import uuid4

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from masthead.db import migrate, utcnow
from masthead.db.kit.steps import newest
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.transfer.files import KeptFiles, kept_files
from masthead.transfer.folder import (
    LinesWriter,
    ReportProgress,
    check_key,
    file_of,
    list_of,
    one_line,
    open_new,
    rows_of,
)
from masthead.transfer.manifest import FilesPart, Manifest, TablePart
from masthead.transfer.sequences import last_id
from masthead.transfer.tables import BATCH, ExportableTable, exportable_tables


def export_instance(instance: Instance, folder: Path, report: ReportProgress) -> list[str]:
    """Write an instance into a folder that is empty or doesn't exist yet.

    :returns: the files whose bytes are missing; they are left out.
    :raises StartError: if the instance can't be exported, or not into this folder.
    """
    migrate.check_current(instance.database, instance.plugins)
    tables, files = exportable_tables(instance), kept_files(instance)
    made_at, missing = utcnow(), list[str]()
    _make_empty(folder)
    with instance.database.session(read_only=True) as session:
        _repeatable_read(session)
        manifest = Manifest(
            id=uuid4().hex,
            kit=newest(),
            plugins=_plugins(instance),
            tables=[_export_rows(session, folder, each, report) for each in tables],
            files=[_export_files(session, folder, each, report, missing) for each in files],
        )
    manifest.write(folder, made_at)
    return missing


def _make_empty(folder: Path) -> None:
    # Private, because it contains personal data.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise StartError(f"{folder} isn't empty")


def _repeatable_read(session: Session) -> None:
    """Let the session read one consistent snapshot."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))


def _plugins(instance: Instance) -> list[dict[str, str | None]]:
    revisions = migrate.current(instance.database, instance.plugins)
    return [
        {"name": each.name, "version": each.version, "revision": revisions.get(each.name)}
        for each in instance.plugins
    ]


def _export_rows(
    session: Session, folder: Path, each: ExportableTable, report: ReportProgress
) -> TablePart:
    total = session.scalar(select(func.count()).select_from(each.table)) or 0
    rows = session.execute(
        select(*each.columns).order_by(*each.key), execution_options={"yield_per": BATCH}
    )
    with LinesWriter(rows_of(folder, each.name)) as writer:
        for batch in rows.mappings().partitions():
            for row in batch:
                writer.write(each.dump(dict(row)))
            report(each.name, writer.count, total)
    return TablePart(each.name, writer.count, writer.sha256, last_id(session, each.table))


def _export_files(
    session: Session, folder: Path, files: KeptFiles, report: ReportProgress, missing: list[str]
) -> FilesPart:
    keys = list(files.keys(session))
    with LinesWriter(list_of(folder, files.name)) as writer:
        for done, key in enumerate(keys, 1):
            try:
                content = files.read(check_key(key))
            except FileNotFoundError:
                missing.append(f"{files.name}/{key}")
                continue
            except Exception as error:
                # Each storage has its own types of errors.
                raise StartError(f"{files.name}/{key} can't be read: {one_line(error)}") from error
            _write(file_of(folder, files.name, key), content)
            writer.write({"key": key, "sha256": hashlib.sha256(content).hexdigest()})
            report(files.name, done, len(keys))
    return FilesPart(files.name, writer.count, writer.sha256)


def _write(path: Path, content: bytes) -> None:
    with open_new(path) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
