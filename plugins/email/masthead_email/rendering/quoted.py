"""Quoted-printable (RFC 2045), so that any text passes any relay and no line begins with a dot."""

from __future__ import annotations

import re
from binascii import b2a_qp

_AS_IT_IS = re.compile(r"[A-Za-z0-9@_+,'/:-][A-Za-z0-9@_+,'/:. -]{0,70}[A-Za-z0-9@_+/]")
_ENDS = re.compile(r"\r\n?|\n")
_SOFT_BREAK = b"=\r\n"
"""A line's end that the reader takes away again."""
_LONGEST = 76


def quoted(text: str) -> bytes:
    """Encode a text; its line breaks become CRLF, and no line is longer than 76 columns."""
    return b"\r\n".join(map(_line, _ENDS.split(text)))


def quoted_piece(text: str) -> bytes:
    """Encode a text that others follow, which are encoded by themselves.

    It ends with a line break that the reader takes away, so that the next begins a line.
    """
    if not text:
        return b""
    if _AS_IT_IS.fullmatch(text) and not text.startswith("From "):
        return text.encode() + _SOFT_BREAK
    encoded = quoted(text)
    start = encoded.rfind(b"\n") + 1
    if len(encoded) - start == _LONGEST:
        cut = start + 70
        while b"=" in encoded[cut - 2 : cut]:
            cut -= 1
        encoded = encoded[:cut] + _SOFT_BREAK + _start(encoded[cut:])
    return encoded + _SOFT_BREAK


def _line(text: str) -> bytes:
    encoded = b2a_qp(text.encode(), quotetabs=False, istext=False, header=False)
    return b"\r\n".join(map(_start, encoded.split(b"\n")))


def _start(line: bytes) -> bytes:
    """Encode what is special at a line's start: SMTP's dot, and mail folders' ``From``."""
    if not line.startswith((b".", b"From ")):
        return line
    first, rest = b"=%02X" % line[0], line[1:]
    return first + (rest if len(line) <= _LONGEST - 2 else _SOFT_BREAK + _start(rest))
