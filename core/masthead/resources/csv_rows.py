"""Turning the rows of a CSV file into rows for the temporary table of an import."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.csv import CsvRow
from masthead.csv.formulas import unescape
from masthead.db import fold
from masthead.errors import Invalid
from masthead.resources.callbacks import ItemSave
from masthead.schemas.cleaning import is_blank
from masthead.schemas.field_types import Bool, Choice, FieldType, Int
from masthead.schemas.html_type import Html
from masthead.schemas.references import Refs
from masthead.schemas.schema import Nullable
from masthead.search.bulk import tokenizer
from masthead.settings import Settings

if TYPE_CHECKING:
    from masthead.resources.csv_import import CsvImport

_BLANKS = " \t\r\n"
_BETWEEN_IDS = re.compile(r"[\s,;]+")

Values = Mapping[str, Any]
ReadRow = Callable[[CsvRow, datetime], CsvRow]


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
        caller: Caller | None = None,
    ) -> None:
        self._resource = declared.resource
        self._caller = caller
        self._read_row = declared.read_row
        self._time = moment
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

    def read(self, row: CsvRow) -> CsvRow:
        """Return a row with the texts of fields."""
        return row if self._read_row is None else self._read_row(row, self._time)

    def parse(self, session: Session, row: CsvRow) -> tuple[Any, ...]:
        """Return the values of the temporary table's columns after ``number`` and ``id``.

        :param session: a session that only reads.
        :raises Refusal: for a row that can't be imported.
        """
        if row.error is not None:
            raise Invalid(row.error)
        values = {cell.name: cell.parse(row.values.get(cell.name, "")) for cell in self._cells}
        self._resource.before_change(session, ItemSave(None, None, values, self._caller))
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
    inner = inner_type(kind)
    # The cell isn't blank, so that only HTML can come to nothing.
    parse = kind.parse if isinstance(inner, Html) else inner.parse
    if read is None and isinstance(inner, Choice):
        read = partial(_match, {fold(option): option for option in inner.options})
    if read is None and isinstance(inner, Refs):
        read = partial(_read_ids, inner.inner)
    if read is None and isinstance(inner, Int | Bool):
        read = partial(_read, inner)
    return parse if read is None else lambda text: parse(read(text))


def inner_type(kind: FieldType) -> FieldType:
    """Return the type of a nullable field's values, or the type itself."""
    return kind.inner if isinstance(kind, Nullable) else kind


def _read(kind: FieldType, text: str) -> Any:
    """Return the JSON value that a text stands for."""
    return kind.read(text.strip(_BLANKS))


def _read_ids(kind: FieldType, text: str) -> list[Any]:
    """Return the ids between commas, semicolons or blanks."""
    return [kind.read(part) for part in _BETWEEN_IDS.split(text) if part]


def _match(options: Mapping[str, str], text: str) -> str:
    """Return the option that a text names in any case, or else the text."""
    return options.get(fold(text.strip()), text)
