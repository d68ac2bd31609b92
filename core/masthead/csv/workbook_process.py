"""The process that writes a sheet of the workbook on standard input to standard output as CSV.

``workbook.py`` starts it. It imports nothing of Masthead, so that it starts fast.
"""

from __future__ import annotations

import csv
import io
import resource
import sys
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, NoReturn

REFUSED = 3
"""The exit status if standard error has the reason why the workbook is refused."""
_MEMORY = 2 * 1024**3
_OUTPUT = 1024**3
_SECONDS = 100
_MAX_NAMES, _MAX_NAME = 20, 50


def main(sheet: str) -> None:
    """Write the sheet with a name, or the first visible one for a blank name."""
    # macOS may refuse a limit of memory.
    for kind, limit in (
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_FSIZE, _OUTPUT),
        (resource.RLIMIT_AS, _MEMORY),
    ):
        try:
            resource.setrlimit(kind, (limit, limit))
        except (ValueError, OSError):
            continue
    out = io.TextIOWrapper(sys.stdout.buffer, "utf-8", "replace", newline="", write_through=False)
    csv.writer(out).writerows(_rows(sheet))
    out.flush()


def _rows(sheet: str) -> Iterator[list[str]]:
    from python_calamine import (
        CalamineError,
        PasswordError,
        SheetTypeEnum,
        SheetVisibleEnum,
        load_workbook,
    )

    try:
        book = load_workbook(sys.stdin.buffer)
    except PasswordError:
        _refuse("The workbook is encrypted: save it without a password")
    except CalamineError:
        _refuse("The workbook can't be read: it is damaged, or has an unknown format")
    sheets = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    names = [each.name for each in sheets]
    if sheet and sheet not in names:
        there = ", ".join(name[:_MAX_NAME] for name in names[:_MAX_NAMES])
        _refuse(f"sheet: There is none with this name; there are {there}")
    shown = [each.name for each in sheets if each.visible == SheetVisibleEnum.Visible]
    if not names:
        _refuse("The workbook has no sheet")
    found = book.get_sheet_by_name(sheet or [*shown, *names][0])
    for row in found.to_python(skip_empty_area=False):
        yield [_text(cell) for cell in row]


def _text(cell: Any) -> str:
    """Return the value of a cell as text."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() else repr(cell)
    if isinstance(cell, datetime):
        at_midnight = cell.time() == time()
        return cell.date().isoformat() if at_midnight else cell.isoformat(" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell)


def _refuse(reason: str) -> NoReturn:
    sys.stderr.write(reason)
    sys.exit(REFUSED)


if __name__ == "__main__":
    main(sys.argv[1])
