"""Detecting the encoding of a CSV file.

Statistical detection is unreliable for small files. Instead, these are tried in order: the encoding
that the client states, a byte order mark, the NUL bytes of UTF-16 between ASCII characters, UTF-8
where the whole file decodes, and Windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from masthead.errors import Invalid, ProblemCode, wrong_field

_CHUNK = 64 * 1024
_HEAD = 512
"""The number of bytes that are searched for a pattern of NULs."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
)
"""Python's text encodings that no file has. Most can decode to lone surrogates."""


def find_encoding(file: IO[bytes], charset: str | None = None) -> str:
    """Return the encoding of a file, which is read once and rewound.

    :param charset: the encoding that the client states, such as ``cp932`` or ``mac-roman``.
    :raises Invalid: for an unknown charset, and for a file that is empty or not text.
    """
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    if not head:
        raise Invalid("The file is empty")
    if charset:
        return _look_up(charset)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    return _detect_utf_16(head) or _detect_by_decoding(file)


def _look_up(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
        # Raises for codecs that aren't text encodings, such as "zip" and "rot13".
        "".encode(name)
    except (LookupError, ValueError):
        name = ""
    if not name or name.replace("_", "-") in _NO_CHARSETS:
        message = "Is not known; utf-8 and cp1252 are, for example"
        raise wrong_field("charset", ProblemCode.UNKNOWN_NAME, message)
    return name


def _detect_utf_16(head: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark: every second byte of an ASCII header is NUL."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 4 and not even:
        return "utf-16-le"
    if even > len(head) // 4 and not odd:
        return "utf-16-be"
    return None


def _detect_by_decoding(file: IO[bytes]) -> str:
    for encoding in ("utf-8", "cp1252"):
        if _decodes(file, encoding):
            return encoding
    raise Invalid(
        "The file is neither UTF-8 nor Windows-1252: save it as UTF-8, or say its charset"
    )


def _decodes(file: IO[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in _chunks(file):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    finally:
        file.seek(0)
    return True


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk
