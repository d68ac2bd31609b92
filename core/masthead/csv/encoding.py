"""How the bytes of a CSV file become text.

Programs that guess encodings are wrong on small files. So: what is said, else a byte order mark,
else the NULs that UTF-16 has between ASCII characters, else UTF-8 where the whole file is that,
else Windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from masthead.errors import Invalid

_PIECE = 64 * 1024
_LOOKED_AT = 512
"""Bytes that are looked at for a pattern of NULs."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_FILES = (
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"\x1f\x8b",
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
)
"""What workbooks, archives and other files that people mix up with tables begin with."""
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
)
"""Text encodings of Python's that no file is written in. Most would make lone surrogates."""


def find_encoding(file: IO[bytes], charset: str | None = None) -> str:
    """The encoding of a file, which is read once for it and left at its beginning.

    :param charset: what the client says of it, such as ``cp932`` or ``mac-roman``.
    :raises Invalid: for a charset that isn't known, and for a file that is empty or no text.
    """
    file.seek(0)
    head = file.read(_LOOKED_AT)
    file.seek(0)
    if not head:
        raise Invalid("The file is empty")
    if head.startswith(_OTHER_FILES):
        raise Invalid("The file is no text: save it as CSV")
    if charset:
        return _known(charset)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    return _utf_16(head) or _fitting(file)


def _known(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
        # What isn't a text encoding, as "zip" or "rot13", refuses this.
        "".encode(name)
    except (LookupError, ValueError):
        name = ""
    if not name or name.replace("_", "-") in _NO_CHARSETS:
        raise Invalid("charset: Is not known; utf-8 and cp1252 are, for example")
    return name


def _utf_16(head: bytes) -> str | None:
    """UTF-16 without a mark: of the header's characters, every second byte is NUL."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 4 and not even:
        return "utf-16-le"
    if even > len(head) // 4 and not odd:
        return "utf-16-be"
    return None


def _fitting(file: IO[bytes]) -> str:
    for encoding in ("utf-8", "cp1252"):
        if _fits(file, encoding):
            return encoding
    raise Invalid(
        "The file is neither UTF-8 nor Windows-1252: save it as UTF-8, or say its charset"
    )


def _fits(file: IO[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for piece in _pieces(file):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    finally:
        file.seek(0)
    return True


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece
