"""Recognises common kinds of files by their first bytes, to name a wrong file in one line."""

from __future__ import annotations

import re

HEAD_SIZE = 512
"""The number of bytes that are enough."""
_BLANKS = b"\xef\xbb\xbf \t\r\n"
_SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"{\\rtf", "a text document (RTF)"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)
_TEXTS = (
    (re.compile(rb"begin:vcalendar\b", re.IGNORECASE), "an iCalendar file"),
    (re.compile(rb"begin:vcard\b", re.IGNORECASE), "a vCard file"),
    (re.compile(rb"<!doctype html|<html\b", re.IGNORECASE), "an HTML page"),
    (re.compile(rb"<\?xml\b|<rss\b|<!--"), "XML"),
    (re.compile(rb"-- (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin)"), "an SQL dump"),
    (re.compile(rb"<\?php"), "a PHP program"),
    (re.compile(rb"(?:dn|version): .*\n", re.IGNORECASE), "an LDIF file"),
    (re.compile(rb"\[\s*(?:[\[{\]]|\Z)"), "a JSON array"),
    (re.compile(rb"\{"), "JSON"),
)


def kind_of_file(head: bytes) -> str | None:
    """Return the kind of a file, such as "a ZIP archive"; None for an unknown kind.

    :param head: its first bytes.
    """
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    text = head.lstrip(_BLANKS)
    return next((kind for pattern, kind in _TEXTS if pattern.match(text)), None)
