"""The result of an import of items from a file."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from masthead.csv import IgnoredRow, UsedColumn
from masthead.schemas.field_types import Anything, Bool, Int, Str
from masthead.schemas.schema import ListOf, Object, required, schema
from masthead.unicode.characters import printable

MAX_ERRORS = 1_000
"""The number of rows whose errors are listed; further ones are only counted."""
MAX_PREVIEW = 3
"""The number of rows that are shown as they were understood."""

CSV_REPORT = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "imported": required(Int(), help="The number of new items."),
        "skipped": required(Int(), help="The number of rows whose item exists already."),
        "errorCount": required(Int(), help="The number of rows that can't be imported."),
        "errors": required(
            ListOf(
                Object(
                    schema(
                        {
                            "row": required(Int(), help="The line where the row starts, from 1."),
                            "error": required(
                                Str(),
                                help="The reason.",
                                example="email: Must be an e-mail address",
                            ),
                        },
                        name="RowError",
                        help="A row that can't be imported.",
                    )
                )
            ),
            help="The first 1,000 rows that can't be imported.",
        ),
        "columns": required(
            ListOf(
                Object(
                    schema(
                        {
                            "column": required(
                                Str(), help="The name of the column in the file.", example="E-mail"
                            ),
                            "field": required(
                                Str(), help="The field that it becomes.", example="email"
                            ),
                        },
                        name="UsedColumn",
                        help="A column of a file, and its field.",
                    )
                )
            ),
            help="The columns that are used.",
        ),
        "ignoredColumns": required(ListOf(Str()), help="The columns that are left out."),
        "ignoredRows": required(
            ListOf(
                Object(
                    schema(
                        {
                            "row": required(Int(), help="The line, from 1."),
                            "text": required(Str(), help="The text of the row."),
                        },
                        name="IgnoredRow",
                        help="A row that is no part of the table.",
                    )
                )
            ),
            help="The first rows that are no part of the table, such as notes and totals.",
        ),
        "preview": required(
            ListOf(
                Object(
                    schema(
                        {
                            "row": required(Int(), help="The line where the row starts, from 1."),
                            "values": required(Anything(), help="The values of the row by field."),
                        },
                        name="PreviewRow",
                        help="A row as it is understood.",
                    )
                )
            ),
            help="Of the first three rows that could be read, those without errors, as they are "
            "understood.",
        ),
    },
    name="ImportReport",
    help="The result of an import.",
)
"""The schema of the answer of an endpoint that imports a file: ``CsvReport.answer()``."""


class RowError(NamedTuple):
    """A row that can't be imported."""

    row: int
    """The line where it starts, counted from 1."""
    error: str


class PreviewRow(NamedTuple):
    """A row as it was understood."""

    row: int
    """The line where it starts, counted from 1."""
    values: Mapping[str, Any]
    """The JSON values of the fields whose columns the file has, by wire name."""

    def __str__(self) -> str:
        """Return its values as text, without blank ones."""
        texts = {name: _as_text(value) for name, value in self.values.items()}
        return "; ".join(f"{name}: {text}" for name, text in texts.items() if text)


@dataclass
class CsvReport:
    """The result of an import.

    ``imported + updated + skipped + error_count`` is the number of rows.
    """

    imported: int = 0
    updated: int = 0
    """The number of items that exist and were changed."""
    accepted: int = 0
    """The number of rows without errors."""
    error_count: int = 0
    errors: list[RowError] = field(default_factory=list)
    """The first 1,000 errors, in the order of their rows."""
    columns: list[UsedColumn] = field(default_factory=list)
    """The columns of the file that are used, each with the wire name of its field."""
    ignored_columns: list[str] = field(default_factory=list)
    """The names of the columns that are left out."""
    header: list[str] = field(default_factory=list)
    """The names of all columns of the file."""
    ignored_rows: list[IgnoredRow] = field(default_factory=list)
    """The first 100 rows that are no part of the table: notes, totals and repeated headers."""
    preview: list[PreviewRow] = field(default_factory=list)
    """Of the first three rows that could be read, those without errors."""
    unit: str = "line"
    """The word for the things that ``row`` counts."""

    @property
    def skipped(self) -> int:
        """The number of rows whose item, or an earlier row with the same item, exists."""
        return self.accepted - self.imported - self.updated

    def add_error(self, line: int, error: str) -> None:
        """Count a row that can't be imported."""
        self.error_count += 1
        # Rows are refused by several checks, one after the other.
        insort(self.errors, RowError(line, error))
        del self.errors[MAX_ERRORS:]

    def refuse(self, line: int, error: str) -> None:
        """Count a row that was accepted and can't be imported after all."""
        self.accepted -= 1
        self.preview = [each for each in self.preview if each.row != line]
        self.add_error(line, error)

    def explain(self) -> Iterator[str]:
        """Yield lines for the terminal: the columns and rows as understood, and the errors."""
        if self.columns:
            used = (f"{printable(each.column)} → {each.field}" for each in self.columns)
            yield f"columns: {', '.join(used)}"
        if self.ignored_columns:
            yield f"columns left out: {', '.join(map(printable, self.ignored_columns))}"
        for row in self.ignored_rows:
            yield f"{self.unit} {row.row} is no part of the table: {printable(row.text)}"
        yield from (f"{self.unit} {each.row} is read as {each}" for each in self.preview)
        yield from (f"{self.unit} {each.row}: {each.error}" for each in self.errors)

    def answer(self) -> dict[str, Any]:
        """Return the result as an endpoint answers it, described by ``CSV_REPORT``."""
        return {
            "success": True,
            "imported": self.imported,
            "skipped": self.skipped,
            "errorCount": self.error_count,
            "errors": self.errors,
            "columns": self.columns,
            "ignoredColumns": self.ignored_columns,
            "ignoredRows": self.ignored_rows,
            "preview": self.preview,
        }

    def __str__(self) -> str:
        """Return the counts as a line for the terminal."""
        updated = f", updated {self.updated}" if self.updated else ""
        return (
            f"imported {self.imported}{updated}, skipped {self.skipped}, errors {self.error_count}"
        )


def _as_text(value: Any) -> str:
    """Return a JSON value as text of one line."""
    if value is None:
        return ""
    texts = value if isinstance(value, list) else [value]
    return printable(", ".join(map(str, texts)))
