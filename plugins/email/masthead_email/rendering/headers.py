"""Encoding header fields, safe against header injection."""

from __future__ import annotations

import base64
import re

from masthead_email.addresses import ascii_domain

_BREAKS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_FOLDABLE = re.compile(r"(?:[!-~]{1,200}(?: |$))*")
_SAFE_ADDRESS = re.compile(
    r"[^\x00-\x20\x7f-\xa0\u2028\u2029<>()\[\],;:\\\"@]+@[^\s@<>\x00-\x20,;]+"
)
_MAX_WORD = 39
"""The bytes of text in an encoded word; with its delimiters and the field name it fills a line."""
_MAX_LINE = 76


def one_line(text: str) -> str:
    """Return the text with line breaks and control characters replaced by spaces."""
    return _BREAKS.sub(" ", text).strip(" ")


def unstructured(name: str, text: str) -> bytes:
    """Return an unstructured field, such as Subject, folded and with its line end."""
    value = one_line(text)
    if _is_plain(value):
        return _folded(f"{name}: ", value.split(" "))
    return _folded(f"{name}: ", _encoded_words(value))


def address_field(name: str, address: str, phrase: str | None) -> bytes:
    """Return a field with one mailbox, folded and with its line end.

    :param phrase: the display name.
    :raises ValueError: if the address would break the field.
    """
    if not _SAFE_ADDRESS.fullmatch(address):
        raise ValueError("The address can't be used")
    mailbox = f"<{ascii_domain(address)}>"
    value = one_line(phrase or "")
    if not value:
        return _folded(f"{name}: ", [mailbox])
    if _is_plain(value):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return _folded(f"{name}: ", [*f'"{quoted}"'.split(" "), mailbox])
    return _folded(f"{name}: ", [*_encoded_words(value), mailbox])


def _is_plain(value: str) -> bool:
    """Whether the value needs no encoded words; a literal ``=?`` needs them."""
    return bool(_FOLDABLE.fullmatch(value)) and "=?" not in value


def _encoded_words(value: str) -> list[str]:
    """Return the encoded words of a value, split between characters."""
    words, current = [], b""
    for character in value:
        octets = character.encode()
        if len(current) + len(octets) > _MAX_WORD:
            words.append(current)
            current = b""
        current += octets
    words.append(current)
    return [f"=?utf-8?b?{base64.b64encode(word).decode()}?=" for word in words]


def _folded(start: str, tokens: list[str]) -> bytes:
    """Return a field folded between tokens."""
    lines, line = [], start
    for number, token in enumerate(tokens):
        if number and len(line) + 1 + len(token) > _MAX_LINE:
            lines.append(line)
            line = " " + token
        else:
            line += (" " if number else "") + token
    lines.append(line)
    return "\r\n".join(lines).encode() + b"\r\n"
