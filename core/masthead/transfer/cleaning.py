"""The values of an export that its import has cleaned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from masthead.transfer.tables import ExportableTable

_SHOWN = 5
"""The number of lines that a message names."""


class CleanedValues:
    """Cleans rows, and records the lines of those that have changed."""

    def __init__(self) -> None:
        self._lines: defaultdict[str, list[int]] = defaultdict(list)

    def clean(self, table: ExportableTable, line: int, row: dict[str, Any]) -> None:
        """Clean a row in place.

        :raises Invalid: for a value that can't be cleaned.
        """
        for name in table.clean(row):
            self._lines[f"{table.name}.{name}"].append(line)

    def messages(self) -> Iterator[str]:
        """Yield a message for each column with changed values."""
        for column, lines in self._lines.items():
            shown = ", ".join(str(line) for line in lines[:_SHOWN])
            more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
            yield f"Cleaned {column} in line {shown}{more}"
