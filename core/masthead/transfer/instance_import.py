"""Import of an export into an empty instance: all of it, or nothing.

Everything is checked before the one transaction that inserts the rows; files are stored before it
commits. An import that is killed therefore leaves only files behind, which the next one replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Insert, Update, delete, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from masthead.db import migrate
from masthead.db.changed_tables import touch
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.errors import Invalid, StartError
from masthead.instance import Instance
from masthead.transfer.cleaning import CleanedValues
from masthead.transfer.files import KeptFiles, kept_files
from masthead.transfer.folder import (
    ReportProgress,
    check_digest,
    file_of,
    list_of,
    one_line,
    read_lines,
    rows_of,
)
from masthead.transfer.manifest import FilesPart, Manifest, TablePart
from masthead.transfer.sequences import restart_sequence
from masthead.transfer.tables import BATCH, ExportableTable, exportable_tables, filled

_EXPORT = "export"
"""The kind of a :class:`OnceMarker` row that records an imported export."""


def _ignore(_message: str) -> None:
    """Ignore a message of a plugin."""


def import_instance(
    instance: Instance,
    folder: Path,
    report: ReportProgress,
    tell: Callable[[str], object] = _ignore,
) -> bool:
    """Import an export into an instance that contains only its initial rows.

    :param tell: takes each message of a plugin for the user.
    :returns: False if this export was imported before; nothing is done then.
    :raises StartError: with a one-line message; nothing is imported then.
    """
    migrate.check_current(instance.database, instance.plugins)
    tables = exportable_tables(instance)
    manifest = Manifest.read(folder)
    manifest.check_fits(instance, tables)
    with instance.database.session(read_only=True) as session:
        if not _is_wanted(session, manifest, tables):
            return False
    sent = {part.name: part for part in manifest.tables}
    parts = [(sent[each.name], each) for each in tables if each.name in sent]
    files = {each.name: each for each in kept_files(instance)}
    _check_contents(folder, manifest, report)
    with instance.database.transaction() as session:
        lock(session, _EXPORT)
        if not _is_wanted(session, manifest, tables):
            return False
        cleaned = _import_tables(session, folder, parts, report)
        for part in manifest.files:
            _import_files(session, folder, part, files[part.name], report)
        session.add(OnceMarker(kind=_EXPORT, name=manifest.id))
        session.flush()
        # The rows of private tables may show, too.
        touch(session.connection())
        messages = instance.hooks.masthead_imported(session=session)
    for message in (*cleaned.messages(), *messages):
        tell(message)
    return True


def _is_wanted(session: Session, manifest: Manifest, tables: Sequence[ExportableTable]) -> bool:
    """Whether the export was not imported yet.

    :raises StartError: if the instance has content of its own.
    """
    imported = select(OnceMarker).where(OnceMarker.kind == _EXPORT, OnceMarker.name == manifest.id)
    if session.scalars(imported).first() is not None:
        return False
    used = filled(session, [each.table for each in tables if not each.is_seeded])
    if used:
        raise StartError(f"this instance isn't empty: there are rows in {', '.join(used)}")
    return True


def _check_contents(folder: Path, manifest: Manifest, report: ReportProgress) -> None:
    """Verify the checksums of all files in the manifest.

    :raises StartError: with the name of the first file that is missing or changed.
    """
    for table in manifest.tables:
        check_digest(rows_of(folder, table.name), table.sha256)
    for part in manifest.files:
        check_digest(list_of(folder, part.name), part.sha256)
        for done, (key, sha256) in enumerate(_files_with_checksums(folder, part), 1):
            check_digest(file_of(folder, part.name, key), sha256)
            report(f"{part.name}: checksums", done, part.count)


def _files_with_checksums(folder: Path, part: FilesPart) -> Iterator[tuple[str, str]]:
    """Yield the keys of files, each with its checksum."""
    path = list_of(folder, part.name)
    for line in read_lines(path):
        key, sha256 = line.get("key"), line.get("sha256")
        if not isinstance(key, str) or not isinstance(sha256, str):
            raise StartError(f"{path} has a line without a key or a checksum")
        yield key, sha256


def _import_tables(
    session: Session,
    folder: Path,
    parts: Sequence[tuple[TablePart, ExportableTable]],
    report: ReportProgress,
) -> CleanedValues:
    cleaned = CleanedValues()
    for _, each in reversed(parts):
        if each.is_seeded:
            session.execute(delete(each.table))
    for part, each in parts:
        rows = _rows(folder, each, partial(cleaned.clean, each))
        _insert(session, rows, part, each, report)
    for part, each in parts:
        if each.deferred:
            _update_deferred(session, folder, each)
        restart_sequence(session, each.table, part.lastId)
    return cleaned


def _insert(
    session: Session,
    checked: Iterator[dict[str, Any]],
    part: TablePart,
    each: ExportableTable,
    report: ReportProgress,
) -> None:
    done = 0
    for rows in _batches(checked):
        _execute(session, each, each.insert, [each.insert_values(row) for row in rows])
        done += len(rows)
        report(each.name, done, part.rows)


def _update_deferred(session: Session, folder: Path, each: ExportableTable) -> None:
    """Set the columns that refer to rows which were inserted later."""
    named = (each.deferred_values(row) for row in _rows(folder, each))
    for rows in _batches(values for values in named if values is not None):
        _execute(session, each, each.update, rows)


def _execute(
    session: Session, each: ExportableTable, statement: Insert | Update, rows: list[dict[str, Any]]
) -> None:
    try:
        # The session would treat an update of many rows as a bulk update by primary key.
        session.connection().execute(statement, rows)
    except DBAPIError as error:
        why = one_line(error.orig)
        raise StartError(f"rows of {each.name} can't be stored: {why}") from error


def _rows(
    folder: Path,
    each: ExportableTable,
    clean: Callable[[int, dict[str, Any]], object] = lambda _number, _row: None,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table.

    :param clean: takes the number of each line and its row, and may change the row.
    """
    path = rows_of(folder, each.name)
    for number, sent in enumerate(read_lines(path), 1):
        try:
            row = each.load(sent)
            clean(number, row)
            yield row
        except Invalid as error:
            raise StartError(f"{path}, line {number}: {error.message}") from None


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield batch


def _import_files(
    session: Session, folder: Path, part: FilesPart, files: KeptFiles, report: ReportProgress
) -> None:
    wanted = set(files.keys(session))
    for done, (key, _) in enumerate(_files_with_checksums(folder, part), 1):
        if key not in wanted:
            raise StartError(f"no row names the file {part.name}/{key}")
        content = file_of(folder, part.name, key).read_bytes()
        try:
            files.write(key, content)
        except Exception as error:
            raise StartError(f"{part.name}/{key} can't be stored: {one_line(error)}") from error
        report(part.name, done, part.count)
