"""The import of a resource's items from tables: CSV files and workbooks.

A file is read and checked row by row while a temporary table fills. Only then does the transaction
begin, which makes items of the rows by a few statements: all of them or, after a crash, none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import IO, Any, TextIO

from sqlalchemy import Index, Table, UniqueConstraint

from masthead.audit.services import record
from masthead.csv import REFUSED, CsvColumn, CsvReader, CsvRow, row_writer
from masthead.csv.formulas import unescape
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
ColumnMap = Mapping[str, str | None]


@dataclass(frozen=True, kw_only=True)
class CsvOptions:
    """How to read the file of an import, and what happens to its rows."""

    mapping: ColumnMap = dataclass_field(default_factory=dict)
    """The names of columns in the file, each with the wire name of its field, or None for a column
    to leave out."""
    sheet: str | None = None
    """The name of a workbook's sheet; the first one by default."""
    refused: TextIO | None = None
    """A file for the rows with errors: CSV with the reason in the first column, ``error``, which
    an import ignores. Nothing is written without such rows."""
    repeat: bool = False
    """Whether rows without a value of ``unique`` are imported although an earlier import of the
    file imported them."""


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
    row_key: Attribute | None = None
    """The model's unique column for the keys of rows without a value of ``unique``. A second
    import of a file skips these rows, too."""
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

        :param file: a seekable file.
        :param charset: the file's encoding; by default it is detected.
        :param options: how to read the file, and what happens to its rows.
        :param defaults: values that replace the defaults of fields, by wire name.
        :param dry_run: whether to report only, without storing anything.
        :param actor_id: the id of the user who imports the file.
        :raises Invalid: for a file that can't be read as a table; nothing is stored then.
        """
        moment, options = utcnow(), options or CsvOptions()
        self._check_mapping(options.mapping)
        reader = CsvReader(
            file, self.columns, charset, mapping=options.mapping, sheet=options.sheet
        )
        report = CsvReport(columns=reader.columns, header=reader.header)
        keys = RowKeys(reader.header) if self.row_key is not None and not options.repeat else None
        parser = RowParser(self, instance.settings, moment, defaults or {}, keys)
        rows = _accepted(reader, parser, report, options.refused)
        with stage_rows(instance.database, self.bulk.table, rows) as session:
            report.ignored_columns, report.ignored_rows = reader.ignored, reader.ignored_rows
            if dry_run:
                report.imported = self.bulk.count_new(session)
                return report
            report.imported = self.bulk.insert_new(session, moment)
            name = self.resource.name
            record(session, f"{name}.import", actor_id, content_type=name, imported=report.imported)
        return report

    def _check_mapping(self, mapping: ColumnMap) -> None:
        fields = [column.name for column in self.columns]
        for name in mapping.values():
            if name is not None and name not in fields:
                raise Invalid(f"map: There is no field {name[:50]}; there are {', '.join(fields)}")


class RowKeys:
    """The keys of the rows of a file: digests of their cells, the same in each import of it."""

    def __init__(self, header: Sequence[str]) -> None:
        self._start = sha256("\0".join(header).encode())
        self._times: Counter[str] = Counter()

    def key(self, cells: Sequence[str]) -> str:
        """Return the key of the next row; equal rows have different ones."""
        digest = self._start.copy()
        texts = [unescape(cell).strip() for cell in cells]
        digest.update("\0".join(texts).rstrip("\0").encode())
        key = digest.hexdigest()
        self._times[key] += 1
        return f"{key}-{self._times[key]}"


class RowParser:
    """Turns the rows of a file into rows for the temporary table."""

    def __init__(
        self,
        declared: CsvImport,
        settings: Settings,
        moment: datetime,
        defaults: Values,
        keys: RowKeys | None = None,
    ) -> None:
        self._resource = declared.resource
        self._tokenize = tokenizer(declared.resource)
        self._moment = {declared.resource.wire("created_at"): moment}
        self._derived = tuple(declared.derived.values())
        self._links = tuple(declared.links.values())
        self._has_key = declared.row_key is not None
        self._keys = keys
        self._unique = declared.bulk.names.index(declared.unique.key)
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
        stored = (*values.values(), *(compute(known) for compute in self._derived))
        if self._has_key:
            stored += (self._key(row, stored[self._unique]),)
        return (*stored, *(compute(known) for compute in self._links), *tokens)

    def preview(self, parsed: Sequence[Any], found: Container[str]) -> dict[str, Any]:
        """Return the JSON values of those fields of a parsed row whose columns were found."""
        pairs = zip(self._resource.fields, parsed, strict=False)
        return {f.name: f.kind.dump(value) for f, value in pairs if f.name in found}

    def _key(self, row: CsvRow, unique: Any) -> str | None:
        return self._keys.key(row.cells) if self._keys and unique is None else None


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
    reader: CsvReader, parser: RowParser, report: CsvReport, refused: TextIO | None
) -> Iterator[tuple[Any, ...]]:
    refuse = partial(_write_refused, refused, reader.header) if refused is not None else None
    for row in reader:
        try:
            parsed = parser.parse(row)
        except Invalid as refusal:
            report.add_error(row.line, refusal.message)
            if refuse:
                refuse(refusal.message, row.cells, first=report.error_count == 1)
            continue
        report.accepted += 1
        if len(report.preview) < MAX_PREVIEW:
            report.preview.append(PreviewRow(row.line, parser.preview(parsed, row.values)))
        yield (report.accepted, None, *parsed)


def _write_refused(
    file: TextIO, header: Sequence[str], reason: str, cells: Sequence[str], *, first: bool
) -> None:
    """Write a refused row with the reason, the first one below the header."""
    write_row = row_writer(file, spreadsheet_safe=True)
    if first:
        write_row([REFUSED, *header])
    write_row([reason, *map(unescape, cells)])


def _check_options(declared: CsvImport) -> None:
    resource = declared.resource
    if resource.named or resource.approval is not None:
        raise StartError(
            f"{resource.name}: items with names for ids or approval have no CSV import"
        )
    fields = {f.name: f for f in resource.fields}
    columns = {column.name for column in declared.columns}
    if unknown := (columns | declared.parse.keys()) - fields.keys():
        raise StartError(f"{resource.name}: there is no field {', '.join(sorted(unknown))}")
    if missing := {f.name for f in resource.fields if f.required} - columns:
        raise StartError(f"{resource.name}: no column has the field {', '.join(sorted(missing))}")
    for name in sorted(columns - declared.parse.keys()):
        if isinstance(_inner(fields[name].kind), ListOf | Object):
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
