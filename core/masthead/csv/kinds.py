"""The kinds of files that people mistake for tables, told by their first bytes."""

from __future__ import annotations

import re
from typing import IO

from masthead.errors import Invalid

_SAVE = "save the table as xlsx, ods or CSV"
_KINDS = (
    (b"%PDF", f"a PDF document: {_SAVE}"),
    (b"\x89PNG", f"an image (PNG): {_SAVE}"),
    (b"\xff\xd8\xff", f"an image (JPEG): {_SAVE}"),
    (b"GIF8", f"an image (GIF): {_SAVE}"),
    (b"II*\x00", f"an image (TIFF): {_SAVE}"),
    (b"MM\x00*", f"an image (TIFF): {_SAVE}"),
    (b"{\\rtf", f"a text document (RTF): {_SAVE}"),
    (b"\x1f\x8b", "compressed (gzip): unpack it first"),
    (b"Rar!", "an archive (RAR): unpack it first"),
    (b"7z\xbc\xaf", "an archive (7-Zip): unpack it first"),
    (b"SQLite format 3", f"a database (SQLite): {_SAVE}"),
)
_TEXTS = (
    (re.compile(rb"BEGIN:VCARD", re.IGNORECASE), "a vCard: only contacts are imported from it"),
    (re.compile(rb"BEGIN:VCALENDAR", re.IGNORECASE), "a calendar and has no contacts"),
    (re.compile(rb"<(?:!doctype html|html)\b", re.IGNORECASE), f"a web page: {_SAVE}"),
    (re.compile(rb"<\?xml\b"), f"an XML document: {_SAVE}"),
    (re.compile(rb"(?:dn|version): .*\n", re.IGNORECASE), "an LDIF file: export CSV instead"),
)
_START = 512
_MARK = b"\xef\xbb\xbf"


def refuse_other_kinds(file: IO[bytes]) -> None:
    """Check that a file, which is rewound, is no file of a kind that is known to be no table.

    :raises Invalid: that names the kind.
    """
    start = file.read(_START)
    file.seek(0)
    for signature, kind in _KINDS:
        if start.startswith(signature):
            raise Invalid(f"The file is {kind}")
    text = start.removeprefix(_MARK).lstrip()
    for pattern, kind in _TEXTS:
        if pattern.match(text):
            raise Invalid(f"The file is {kind}")
