"""The import of a resource's items from tables: CSV files and workbooks.

A file is read and checked row by row while a temporary table fills. Only then does the transaction
begin, which makes items of the rows by a few statements: all of them or, after a crash, none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import IO, Any, TextIO

from sqlalchemy import Index, Table, UniqueConstraint
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.callers import caller_with_id
from masthead.csv import REFUSED, CsvColumn, CsvReader, row_writer
from masthead.csv.formulas import unescape
from masthead.db import utcnow
from masthead.db.bulk_rows import stage_rows
from masthead.db.engine import Database
from masthead.errors import ProblemCode, Refusal, StartError, wrong_field
from masthead.instance import Instance
from masthead.resources.bulk_insert import Attribute, BulkInsert, Condition
from masthead.resources.csv_checks import StagedChecks, can_refuse
from masthead.resources.csv_report import MAX_PREVIEW, CsvReport, PreviewRow
from masthead.resources.csv_rows import ReadRow, RowKeys, RowParser, Values, inner_type
from masthead.resources.declaration import Resource
from masthead.schemas.json_values import Json
from masthead.schemas.references import Refs
from masthead.schemas.schema import ListOf, Object

ColumnMap = Mapping[str, str | None]


@dataclass(frozen=True, kw_only=True)
class CsvOptions:
    """How to read the file of an import, and what happens to its rows."""

    mapping: ColumnMap = dataclass_field(default_factory=dict)
    """The names of columns in the file, each with the wire name of its field, or None for a column
    to leave out."""
    sheet: str | None = None
    """The name of a workbook's sheet; the first one by default."""
    plain: bool = False
    """Whether all rows below the header belong to the table, also one that looks like a total."""
    refused: TextIO | None = None
    """A file for the rows with errors: CSV with the reason in the first column, ``error``, which
    an import ignores. Nothing is written without such rows."""
    repeat: bool = False
    """Whether rows without a value of ``unique`` are imported although an earlier import of the
    file imported them."""


@dataclass(frozen=True)
class StagedUpdate:
    """The change of existing items by the rows of a file, which a temporary table holds."""

    count: Callable[[Session, Table], int]
    """Return the number of items that ``apply`` would change, before rows become items. A dry run
    calls it if no plugin is asked; otherwise it applies the change, and takes it back."""
    apply: Callable[[Session, Table, datetime], int]
    """Change items, after rows have become items, and return the number of changed ones; gets the
    time of the import, which becomes the ``updated_at`` of the changed items. If plugins object to
    one that the public sees, the file is refused."""


@dataclass(frozen=True)
class CsvImport:
    """The import of a resource's items from CSV files.

    The types of the resource's fields check the cells, and its ``before_change`` each row; its
    ``flush`` isn't called. A blank cell stands for the default of its field.
    """

    resource: Resource
    columns: tuple[CsvColumn, ...]
    """The columns of a file, each with the name of a field. A file without the column of a required
    field is refused."""
    unique: Attribute
    """The model's unique column. A row whose value an item or an earlier row has is skipped; rows
    without a value are all imported. A row to which plugins object leaves its value to a later one.
    """
    parse: Mapping[str, Callable[[str], Any]] = dataclass_field(default_factory=dict)
    """Functions that turn the text of a cell into the field's JSON value, by the field's name;
    required for lists and objects, except for ``Refs``: ids between commas, semicolons or blanks.
    """
    derived: Mapping[Attribute, Callable[[Values], Any]] = dataclass_field(default_factory=dict)
    """Functions that compute further columns of the model from the fields, by wire name, and
    ``createdAt``."""
    links: Mapping[Attribute, Callable[[Values], list[str]]] = dataclass_field(default_factory=dict)
    """Functions that compute the texts which an item is linked to, by the column that holds them in
    a model of links as ``Filter(through=…)`` has."""
    taken: Condition | None = None
    """Return the condition under which a value of ``unique`` isn't free although no item has it."""
    row_key: Attribute | None = None
    """The model's unique column for the keys of rows without a value of ``unique``. A second
    import of a file skips these rows, too."""
    read_row: ReadRow | None = None
    """Return a row with the texts of fields, given a row with the texts of the columns and the time
    of the import. The columns may then have any names."""
    update: StagedUpdate | None = None
    """The change of existing items; None for none. Each changed item has a row that became no
    item."""
    bulk: BulkInsert = dataclass_field(init=False)

    def __post_init__(self) -> None:
        """Prepare the statements, and check the options.

        :raises StartError: for options that don't fit the resource.
        """
        _check_options(self)
        required = {f.name for f in self.resource.fields if f.required}
        columns = tuple(replace(c, required=c.name in required) for c in self.columns)
        object.__setattr__(self, "columns", columns)
        bulk = BulkInsert(
            self.resource,
            self.unique,
            [*self.derived, *([self.row_key] if self.row_key is not None else [])],
            self.links.keys(),
            self.taken,
            row_key=self.row_key,
            refusable=can_refuse(self.resource),
        )
        object.__setattr__(self, "bulk", bulk)

    def run(
        self,
        instance: Instance,
        file: IO[bytes],
        charset: str | None = None,
        *,
        options: CsvOptions | None = None,
        defaults: Values | None = None,
        dry_run: bool = False,
        actor_id: int | None = None,
    ) -> CsvReport:
        """Import a file in a transaction of its own.

        Rows that refer to items that don't exist, and rows that plugins don't let become public,
        are errors like others.

        :param file: a seekable file.
        :param charset: the file's encoding; by default it is detected.
        :param options: how to read the file, and what happens to its rows.
        :param defaults: values that replace the defaults of fields, by wire name.
        :param dry_run: whether to report only, without storing anything.
        :param actor_id: the id of the user who imports the file.
        :raises Invalid: for a file that can't be read as a table; nothing is stored then.
        :raises Refused: if a plugin objects to a change of an existing item.
        """
        moment, options = utcnow(), options or CsvOptions()
        self._check_mapping(options.mapping)
        reader = CsvReader(
            file,
            self.columns,
            charset,
            mapping=options.mapping,
            sheet=options.sheet,
            plain=options.plain,
        )
        report = CsvReport(columns=reader.columns, header=reader.header)
        keys = RowKeys(reader.header) if self.row_key is not None and not options.repeat else None
        caller = None if actor_id is None else caller_with_id(instance, actor_id)
        parser = RowParser(self, instance.settings, moment, defaults or {}, keys, caller)
        refused = _Refused(options.refused, reader.header)
        kept = can_refuse(self.resource)
        rows = _accepted(instance.database, reader, parser, report, refused, kept=kept)
        checks = StagedChecks(self.resource, self.bulk.table, report, refused.write, caller)
        with stage_rows(instance.database, self.bulk.table, rows) as session:
            report.ignored_columns, report.ignored_rows = reader.ignored, reader.ignored_rows
            checks.check_references(session)
            if dry_run:
                self._try(session, checks, moment)
            else:
                self._store(session, checks, moment, actor_id)
        return report

    def _try(self, session: Session, checks: StagedChecks, moment: datetime) -> None:
        """Count the items that the import would create and change, and store nothing."""
        if checks.asks(session):
            self._change(session, checks, moment)
            session.rollback()
            return
        report = checks.report
        report.updated = self.update.count(session, self.bulk.table) if self.update else 0
        report.imported = self.bulk.count_new(session)

    def _change(self, session: Session, checks: StagedChecks, moment: datetime) -> dict[str, int]:
        """Create and change items, and return the counts for the audit log."""
        report = checks.report
        checks.prepare(session)
        report.imported = self.bulk.insert_new(session, moment, checks)
        if self.update is None:
            return {"imported": report.imported}
        report.updated = self.update.apply(session, self.bulk.table, moment)
        checks.require_updated(session, moment)
        return {"imported": report.imported, "updated": report.updated}

    def _store(
        self, session: Session, checks: StagedChecks, moment: datetime, actor_id: int | None
    ) -> None:
        counts = self._change(session, checks, moment)
        if checks.objections and not any(counts.values()):
            # So that the tables don't count as changed.
            session.rollback()
            return
        name = self.resource.name
        record(session, f"{name}.import", actor_id, content_type=name, **counts)

    def _check_mapping(self, mapping: ColumnMap) -> None:
        fields = [column.name for column in self.columns]
        for name in mapping.values():
            if name is not None and name not in fields:
                message = f"There is no field {name[:50]}; there are {', '.join(fields)}"
                raise wrong_field("map", ProblemCode.UNKNOWN_NAME, message)


class _Refused:
    """The file of the rows with errors, if one is wanted."""

    def __init__(self, file: TextIO | None, header: Sequence[str]) -> None:
        self._file, self._header, self._is_new = file, header, True
        self.is_wanted = file is not None

    def write(self, reason: str, cells: Sequence[str]) -> None:
        """Write a row with the reason, the first one below the header."""
        if self._file is None:
            return
        write_row = row_writer(self._file, spreadsheet_safe=True)
        if self._is_new:
            write_row([REFUSED, *self._header])
        self._is_new = False
        write_row([reason, *map(unescape, cells)])


def _accepted(
    database: Database,
    reader: CsvReader,
    parser: RowParser,
    report: CsvReport,
    refused: _Refused,
    *,
    kept: bool,
) -> Iterator[tuple[Any, ...]]:
    with database.session(read_only=True) as session:
        for found in reader:
            row = parser.read(found)
            try:
                parsed = parser.parse(session, row)
            except Refusal as refusal:
                report.add_error(row.line, refusal.message)
                refused.write(refusal.message, found.cells)
                continue
            report.accepted += 1
            if len(report.preview) < MAX_PREVIEW:
                report.preview.append(PreviewRow(row.line, parser.preview(parsed, row.values)))
            origin = (row.line, found.cells if refused.is_wanted else None) if kept else ()
            yield (report.accepted, None, *origin, *parsed)


def _check_options(declared: CsvImport) -> None:
    resource = declared.resource
    if resource.named or resource.approval is not None:
        raise StartError(
            f"{resource.name}: items with names for ids or approval have no CSV import"
        )
    fields = {f.name: f for f in resource.fields}
    columns = {column.name for column in declared.columns}
    if declared.read_row is not None:
        columns &= fields.keys()
    if unknown := (columns | declared.parse.keys()) - fields.keys():
        raise StartError(f"{resource.name}: there is no field {', '.join(sorted(unknown))}")
    if missing := {f.name for f in resource.fields if f.required} - columns:
        raise StartError(f"{resource.name}: no column has the field {', '.join(sorted(missing))}")
    for name in sorted(columns - declared.parse.keys()):
        kind = inner_type(fields[name].kind)
        if isinstance(kind, ListOf | Object | Json) and not isinstance(kind, Refs):
            raise StartError(f"{resource.name}: no function parses the cells of {name}")
    keys = [declared.unique] if declared.row_key is None else [declared.unique, declared.row_key]
    for attribute in keys:
        if not _is_unique(attribute):
            raise StartError(f"{resource.name}: the column {attribute.key} isn't unique")


def _is_unique(attribute: Attribute) -> bool:
    table = attribute.class_.__table__
    assert isinstance(table, Table)
    keys = [*table.constraints, *(index for index in table.indexes if index.unique)]
    columns = [list(key.columns) for key in keys if isinstance(key, UniqueConstraint | Index)]
    return [table.c[attribute.key]] in columns
