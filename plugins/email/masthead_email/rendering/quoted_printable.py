"""Quoted-printable encoding (RFC 2045): 7-bit output, and no line begins with a dot."""

from __future__ import annotations

import re
from binascii import b2a_qp

_NEEDS_NO_ENCODING = re.compile(r"[A-Za-z0-9@_+,'/:-][A-Za-z0-9@_+,'/:. -]{0,70}[A-Za-z0-9@_+/]")
_LINE_END = re.compile(r"\r\n?|\n")
_SOFT_BREAK = b"=\r\n"
"""A soft line break, which decoding removes."""
_MAX_LINE = 76


def encode(text: str) -> bytes:
    """Encode a text with CRLF line breaks and at most 76 columns per line."""
    return b"\r\n".join(map(_encode_line, _LINE_END.split(text)))


def encode_piece(text: str) -> bytes:
    """Encode a text that is followed by separately encoded texts.

    It ends with a soft line break, so the next text begins a line.
    """
    if not text:
        return b""
    if _NEEDS_NO_ENCODING.fullmatch(text) and not text.startswith("From "):
        return text.encode() + _SOFT_BREAK
    encoded = encode(text)
    start = encoded.rfind(b"\n") + 1
    if len(encoded) - start == _MAX_LINE:
        cut = start + 70
        while b"=" in encoded[cut - 2 : cut]:
            cut -= 1
        encoded = encoded[:cut] + _SOFT_BREAK + _encode_start(encoded[cut:])
    return encoded + _SOFT_BREAK


def _encode_line(text: str) -> bytes:
    encoded = b2a_qp(text.encode(), quotetabs=False, istext=False, header=False)
    return b"\r\n".join(map(_encode_start, encoded.split(b"\n")))


def _encode_start(line: bytes) -> bytes:
    """Encode what is special at the start of a line: the dot of SMTP, and ``From`` of mbox."""
    if not line.startswith((b".", b"From ")):
        return line
    first, rest = b"=%02X" % line[0], line[1:]
    return first + (rest if len(line) <= _MAX_LINE - 2 else _SOFT_BREAK + _encode_start(rest))
