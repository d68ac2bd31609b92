"""Plain text tables for terminals, ``grep`` and ``cut``."""

from __future__ import annotations

from collections.abc import Iterable

import click

from masthead.unicode.characters import printable

_COLORS = {"ok": "green", "warning": "yellow", "error": "red"}
"""The colors of cells with one of these words."""


def show_table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a heading and rows, each on one line, with columns as wide as their widest cell."""
    lines = [heading, *(tuple(map(printable, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def show_wrapped_table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a table that is as wide as the terminal, with cells of several lines."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*heading, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(printable(cell), _COLORS.get(cell, "")) for cell in row))
    Console().print(table)
