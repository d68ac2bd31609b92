"""Writing contacts as vCards of version 3.0, which all address books read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from masthead_crm.vcard.contacts import STATUS

_OCTETS = 75
"""The maximum number of octets of a line (RFC 2426, section 2.6)."""
_ESCAPES = str.maketrans({"\\": "\\\\", ",": "\\,", ";": "\\;", "\n": "\\n", "\r": None})


def write_card(contact: Any) -> str:
    """Return a contact as a vCard.

    :param contact: a contact, or a row with its fields.
    """
    given, _blank, family = contact.name.rpartition(" ")
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"FN:{_escape(contact.name)}"]
    lines.append(f"N:{_escape(family)};{_escape(given)};;;")
    for name, value in (
        ("EMAIL;TYPE=INTERNET", contact.email),
        ("TEL", contact.phone),
        ("NOTE", contact.notes),
        (STATUS, contact.status),
    ):
        if value:
            lines.append(f"{name}:{_escape(value)}")
    if contact.tags:
        lines.append("CATEGORIES:" + ",".join(map(_escape, contact.tags)))
    return "".join(_fold([*lines, "END:VCARD"]))


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _fold(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with CRLF, folded between characters."""
    for line in lines:
        room = _OCTETS
        for character in line:
            size = len(character.encode())
            if size > room:
                yield "\r\n "
                room = _OCTETS - 1
            yield character
            room -= size
        yield "\r\n"
