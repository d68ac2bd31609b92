"""Plain text tables for terminals, ``grep`` and ``cut``."""

from __future__ import annotations

from collections.abc import Iterable

import click

from masthead.unicode.characters import printable


def show_table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a heading and rows, each on one line, with columns as wide as their widest cell."""
    lines = [heading, *(tuple(map(printable, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
