"""The values of an export that its import has cleaned."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from masthead.transfer.tables import ExportableTable

_SHOWN = 5
"""The number of lines that a message names."""


class CleanedValues:
    """Cleans rows, and records the lines of those that have changed."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._first_lines: defaultdict[str, list[int]] = defaultdict(list)

    def clean(self, table: ExportableTable, line: int, row: dict[str, Any]) -> None:
        """Clean a row in place.

        :raises Invalid: for a value that can't be cleaned.
        """
        for name in table.clean(row):
            column = f"{table.name}.{name}"
            self._counts[column] += 1
            if self._counts[column] <= _SHOWN:
                self._first_lines[column].append(line)

    def messages(self) -> Iterator[str]:
        """Yield a message for each column with changed values."""
        for column, lines in self._first_lines.items():
            shown, others = ", ".join(map(str, lines)), self._counts[column] - len(lines)
            more = f" and {others} more" if others else ""
            yield f"Cleaned {column} in line {shown}{more}"
