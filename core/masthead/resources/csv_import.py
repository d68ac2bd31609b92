"""The import of a resource's items from CSV files.

A file is read and checked row by row while a temporary table fills. Only then does the transaction
begin, which makes items of the rows by a few statements: all of them or, after a crash, none.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime
from functools import partial
from typing import IO, Any

from sqlalchemy import Index, Table, UniqueConstraint
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.csv import CsvColumn, CsvReader, CsvRow
from masthead.db import fold, utcnow
from masthead.db.bulk_rows import stage_rows
from masthead.errors import Invalid, StartError
from masthead.instance import Instance
from masthead.resources.bulk_insert import Attribute, BulkInsert, Condition
from masthead.resources.csv_report import MAX_PREVIEW, CsvReport, PreviewRow
from masthead.resources.declaration import Resource
from masthead.schemas.field_types import Bool, Choice, FieldType, Html, Int, is_blank
from masthead.schemas.schema import ListOf, Nullable, Object
from masthead.search.bulk import tokenizer
from masthead.settings import Settings

_BLANKS = " \t\r\n"

Values = Mapping[str, Any]
ReadRow = Callable[[CsvRow, datetime], CsvRow]


@dataclass(frozen=True)
class StagedUpdate:
    """The change of existing items by the rows of a file, which a temporary table holds."""

    count: Callable[[Session, Table], int]
    """Return the number of items that ``apply`` would change, before rows become items."""
    apply: Callable[[Session, Table, datetime], int]
    """Change items, after rows have become items, and return the number of changed ones; gets the
    time of the import."""


@dataclass(frozen=True)
class CsvImport:
    """The import of a resource's items from CSV files.

    The types of the resource's fields check the cells, and its ``check`` each row; its ``flush``
    isn't called. A blank cell stands for the default of its field.
    """

    resource: Resource
    columns: tuple[CsvColumn, ...]
    """The columns of a file, each with the name of a field. A file without the column of a required
    field is refused."""
    unique: Attribute
    """The model's unique column. A row whose value an item or an earlier row has is skipped; rows
    without a value are all imported."""
    parse: Mapping[str, Callable[[str], Any]] = dataclass_field(default_factory=dict)
    """Functions that turn the text of a cell into the field's JSON value, by the field's name;
    required for lists and objects."""
    derived: Mapping[Attribute, Callable[[Values], Any]] = dataclass_field(default_factory=dict)
    """Functions that compute further columns of the model from the fields, by wire name, and
    ``createdAt``."""
    links: Mapping[Attribute, Callable[[Values], list[str]]] = dataclass_field(default_factory=dict)
    """Functions that compute the texts which an item is linked to, by the column that holds them in
    a model of links as ``Filter(through=…)`` has."""
    taken: Condition | None = None
    """Return the condition under which a value of ``unique`` isn't free although no item has it."""
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
            self.resource, self.unique, self.derived.keys(), self.links.keys(), self.taken
        )
        object.__setattr__(self, "bulk", bulk)

    def run(
        self,
        instance: Instance,
        file: IO[bytes],
        charset: str | None = None,
        *,
        defaults: Values | None = None,
        dry_run: bool = False,
        actor_id: int | None = None,
    ) -> CsvReport:
        """Import a file in a transaction of its own.

        :param file: a seekable file.
        :param charset: the file's encoding; by default it is detected.
        :param defaults: values that replace the defaults of fields, by wire name.
        :param dry_run: whether to report only, without storing anything.
        :param actor_id: the id of the user who imports the file.
        :raises Invalid: for a file that can't be read as a table; nothing is stored then.
        """
        moment = utcnow()
        reader = CsvReader(file, self.columns, charset)
        report = CsvReport(columns=reader.columns)
        parser = RowParser(self, instance.settings, moment, defaults or {})
        read_row = self.read_row or (lambda row, _moment: row)
        rows = _accepted((read_row(row, moment) for row in reader), parser, report)
        with stage_rows(instance.database, self.bulk.table, rows) as session:
            report.ignored_columns = reader.ignored
            if dry_run:
                report.imported = self.bulk.count_new(session)
                report.updated = self.update.count(session, self.bulk.table) if self.update else 0
            else:
                self._store(session, report, moment, actor_id)
        return report

    def _store(
        self, session: Session, report: CsvReport, moment: datetime, actor_id: int | None
    ) -> None:
        report.imported = self.bulk.insert_new(session, moment)
        counts = {"imported": report.imported}
        if self.update is not None:
            report.updated = self.update.apply(session, self.bulk.table, moment)
            counts["updated"] = report.updated
        name = self.resource.name
        record(session, f"{name}.import", actor_id, content_type=name, **counts)


class RowParser:
    """Turns the rows of a file into rows for the temporary table."""

    def __init__(
        self, declared: CsvImport, settings: Settings, moment: datetime, defaults: Values
    ) -> None:
        self._resource = declared.resource
        self._tokenize = tokenizer(declared.resource)
        self._moment = {declared.resource.wire("created_at"): moment}
        self._computed = [*declared.derived.values(), *declared.links.values()]
        self._cells = [
            _Cell(
                name=f.name,
                required=f.required,
                default=partial(defaults.get, f.name) if f.name in defaults else f.default,
                read=_cell_reader(f.kind.bound(settings), declared.parse.get(f.name)),
            )
            for f in declared.resource.fields
        ]

    def parse(self, row: CsvRow) -> tuple[Any, ...]:
        """Return the values of the temporary table's columns after ``number`` and ``id``.

        :raises Invalid: for a row that can't be imported.
        """
        if row.error is not None:
            raise Invalid(row.error)
        values = {cell.name: cell.parse(row.values.get(cell.name, "")) for cell in self._cells}
        self._resource.check(values)
        known = values | self._moment
        tokens = self._tokenize(values) if self._resource.search_fields else ()
        return (*values.values(), *(compute(known) for compute in self._computed), *tokens)

    def preview(self, parsed: Sequence[Any], found: Container[str]) -> dict[str, Any]:
        """Return the JSON values of those fields of a parsed row whose columns were found."""
        pairs = zip(self._resource.fields, parsed, strict=False)
        return {f.name: f.kind.dump(value) for f, value in pairs if f.name in found}


@dataclass(frozen=True)
class _Cell:
    """The cell of a field."""

    name: str
    required: bool
    default: Callable[[], Any]
    read: Callable[[str], Any]

    def parse(self, text: str) -> Any:
        """Return the value to store.

        :raises Invalid: for a text that isn't one.
        """
        if not text or is_blank(text):
            if self.required:
                raise Invalid(f"{self.name}: Required")
            return self.default()
        try:
            return self.read(text)
        except ValueError as error:
            raise Invalid(f"{self.name}: {error}") from None


def _cell_reader(kind: FieldType, read: Callable[[str], Any] | None) -> Callable[[str], Any]:
    """Return the function that turns the text of a cell into a value to store."""
    inner = _inner(kind)
    # The cell isn't blank, so that only HTML can come to nothing.
    parse = kind.parse if isinstance(inner, Html) else inner.parse
    if read is None and isinstance(inner, Choice):
        read = partial(_match, {fold(option): option for option in inner.options})
    if read is None and isinstance(inner, Int | Bool):
        read = partial(_read, inner)
    return parse if read is None else lambda text: parse(read(text))


def _inner(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind


def _read(kind: FieldType, text: str) -> Any:
    """Return the JSON value that a text stands for."""
    return kind.read(text.strip(_BLANKS))


def _match(options: Mapping[str, str], text: str) -> str:
    """Return the option that a text names in any case, or else the text."""
    return options.get(fold(text.strip()), text)


def _accepted(
    rows: Iterable[CsvRow], parser: RowParser, report: CsvReport
) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        try:
            parsed = parser.parse(row)
        except Invalid as refusal:
            report.add_error(row.line, refusal.message)
            continue
        report.accepted += 1
        if len(report.preview) < MAX_PREVIEW:
            report.preview.append(PreviewRow(row.line, parser.preview(parsed, row.values)))
        yield (report.accepted, None, *parsed)


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
        if isinstance(_inner(fields[name].kind), ListOf | Object):
            raise StartError(f"{resource.name}: no function parses the cells of {name}")
    if not _is_unique(declared.unique):
        raise StartError(f"{resource.name}: the column {declared.unique.key} isn't unique")


def _is_unique(attribute: Attribute) -> bool:
    table = attribute.class_.__table__
    assert isinstance(table, Table)
    keys = [*table.constraints, *(index for index in table.indexes if index.unique)]
    columns = [list(key.columns) for key in keys if isinstance(key, UniqueConstraint | Index)]
    return [table.c[attribute.key]] in columns
