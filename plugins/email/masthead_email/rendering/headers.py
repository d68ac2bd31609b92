"""Values of header fields, written so that no text can begin another field."""

from __future__ import annotations

import base64
import re

from masthead_email.addresses import ascii_domain

_BREAKS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_FOLDABLE = re.compile(r"(?:[!-~]{1,200}(?: |$))*")
_SAFE_ADDRESS = re.compile(
    r"[^\x00-\x20\x7f-\xa0\u2028\u2029<>()\[\],;:\\\"@]+@[^\s@<>\x00-\x20,;]+"
)
_WORD = 39
"""Octets that an encoded word holds: with its frame and the field's name it fills a line."""
_LINE = 76


def one_line(text: str) -> str:
    """A text without line breaks and control characters; a blank stands for them."""
    return _BREAKS.sub(" ", text).strip(" ")


def unstructured(name: str, text: str) -> bytes:
    """A whole field whose value is any text, such as a subject, folded, with its line's end."""
    value = one_line(text)
    if _needs_no_words(value):
        return _folded(f"{name}: ", value.split(" "))
    return _folded(f"{name}: ", _words(value))


def address_field(name: str, address: str, phrase: str | None) -> bytes:
    """A whole field that names one mailbox, with its line's end.

    :param phrase: the name beside the address.
    :raises ValueError: where the address would break the field.
    """
    if not _SAFE_ADDRESS.fullmatch(address):
        raise ValueError("The address can't be used")
    mailbox = f"<{ascii_domain(address)}>"
    value = one_line(phrase or "")
    if not value:
        return _folded(f"{name}: ", [mailbox])
    if _needs_no_words(value):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return _folded(f"{name}: ", [*f'"{quoted}"'.split(" "), mailbox])
    return _folded(f"{name}: ", [*_words(value), mailbox])


def _needs_no_words(value: str) -> bool:
    """Whether it may stand as it is; what looks like an encoded word has to be one."""
    return bool(_FOLDABLE.fullmatch(value)) and "=?" not in value


def _words(value: str) -> list[str]:
    """Encoded words that together say the value, cut between characters."""
    words, current = [], b""
    for character in value:
        octets = character.encode()
        if len(current) + len(octets) > _WORD:
            words.append(current)
            current = b""
        current += octets
    words.append(current)
    return [f"=?utf-8?b?{base64.b64encode(word).decode()}?=" for word in words]


def _folded(start: str, tokens: list[str]) -> bytes:
    """A field whose lines break at the blanks between tokens."""
    lines, line = [], start
    for number, token in enumerate(tokens):
        if number and len(line) + 1 + len(token) > _LINE:
            lines.append(line)
            line = " " + token
        else:
            line += (" " if number else "") + token
    lines.append(line)
    return "\r\n".join(lines).encode() + b"\r\n"
