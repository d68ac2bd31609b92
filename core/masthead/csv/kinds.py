"""Refusing files of kinds that people mistake for tables."""

from __future__ import annotations

from typing import IO

from masthead.errors import Invalid
from masthead.file_kinds import HEAD_SIZE, kind_of_file

_POSSIBLE = (None, "text in UTF-16", "JSON", "a JSON array")
"""The kinds of files that may be tables: the first cell of a table can have any text."""
_ADVICE = {
    "a gzip archive": "unpack it first",
    "a RAR archive": "unpack it first",
    "a 7z archive": "unpack it first",
    "a vCard file": "only contacts are imported from it",
    "an iCalendar file": "it has no table",
}
_OTHERWISE = "save the table as xlsx, ods or CSV"


def refuse_other_kinds(file: IO[bytes]) -> None:
    """Check that a file, which is rewound, is no file of a kind that is known to be no table.

    :raises Invalid: that names the kind.
    """
    kind = kind_of_file(file.read(HEAD_SIZE))
    file.seek(0)
    if kind not in _POSSIBLE:
        raise Invalid(f"The file is {kind}: {_ADVICE.get(kind or '', _OTHERWISE)}")
