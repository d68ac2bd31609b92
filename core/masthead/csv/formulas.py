"""Cells that spreadsheets evaluate as formulas, and the apostrophe that prevents it (OWASP).

Reading removes what writing adds. A cell that has an apostrophe of its own before a formula gets
another one, so every file reads back unchanged.
"""

from __future__ import annotations

import re

_FORMULA = "[=+\\-@\t\r\n＝＋－＠]"
_EVALUATED = re.compile(_FORMULA)
_QUOTED = re.compile(f"'+{_FORMULA}")


def is_formula(cell: str) -> bool:
    """Whether spreadsheets may evaluate a cell."""
    return _EVALUATED.match(cell) is not None


def escape_formula(cell: str) -> str:
    """Return a cell that no spreadsheet evaluates."""
    return f"'{cell}" if is_formula(cell) else escape_quoted(cell)


def escape_quoted(cell: str) -> str:
    """Return a cell from which ``unescape`` removes no apostrophe of its own."""
    return f"'{cell}" if _QUOTED.match(cell) else cell


def unescape(cell: str) -> str:
    """Return the cell from which one of the other functions made this one."""
    # Most cells begin otherwise, and the pattern is slower.
    return cell[1:] if cell.startswith("'") and _QUOTED.match(cell) else cell
