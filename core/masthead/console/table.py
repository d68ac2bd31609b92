"""Plain text tables for terminals, ``grep`` and ``cut``."""

from __future__ import annotations

from collections.abc import Iterable

import click


def show_table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a heading and rows, with columns as wide as their widest cell."""
    lines = [heading, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
