"""Reading the properties of vCards of the versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350)."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO

from masthead import Invalid, find_encoding

UNCLOSED = "Has no END:VCARD"
MAX_PROPERTIES = 1_000
"""The maximum number of properties of a vCard."""
MAX_LENGTH = 128 * 1024
"""The maximum number of characters of a property, except of those with a file."""
TOO_MANY = f"Has more than {MAX_PROPERTIES} properties"
TOO_LONG = f"Has a property of more than {MAX_LENGTH} characters"
_BEGIN, _END = "BEGIN:VCARD", "END:VCARD"
_OLD = "2.1"
_FILES = frozenset(("PHOTO", "LOGO", "SOUND", "KEY"))
_QUOTED_PRINTABLE = "QUOTED-PRINTABLE"
_BLANKS = (" ", "\t")
# A colon or semicolon between quotes belongs to the value of a parameter.
_HEAD = re.compile(r'((?:"[^"]*"|[^":])*):(.*)', re.DOTALL)
_PARAMETER = re.compile(r';((?:"[^"]*"|[^";])*)')
_NAME = re.compile(r"(?:([\w-]+)\.)?([\w-]+)\s*\Z", re.ASCII)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Property:
    """A property of a vCard."""

    name: str
    """In capitals: ``EMAIL``."""
    group: str
    """The group that joins it to others, such as ``item1``; blank for none."""
    types: frozenset[str]
    """The values of ``TYPE`` in capitals, and the parameters without a name of version 2.1."""
    preference: int
    """The place among the properties with the same name, the smallest first."""
    value: str
    """The decoded value, still escaped."""
    version: str

    @property
    def text(self) -> str:
        """The value as one text."""
        return _unescape(self.value, self.version).strip()

    def split(self, separator: str) -> list[str]:
        """Return the parts of the value between unescaped separators."""
        parts = re.finditer(
            rf"((?:\\.|[^\\{separator}]|\\\Z)*)(?:{separator}|\Z)", self.value, re.DOTALL
        )
        return [_unescape(part[1], self.version).strip() for part in parts]


@dataclass
class Card:
    """A vCard: a person, an organisation or a group."""

    number: int
    """Its place in the file, counted from 1."""
    properties: list[Property] = field(default_factory=list)
    error: str | None = None
    """The reason why it can't be read."""
    version: str = ""
    depth: int = 1
    """The number of open vCards: more than one inside a vCard of its property ``AGENT``."""

    def all(self, name: str) -> list[Property]:
        """Return the properties with a name, the preferred ones first."""
        found = [each for each in self.properties if each.name == name]
        return sorted(found, key=lambda each: each.preference)

    def opens_another(self) -> bool:
        """Whether a vCard that begins now is the value of a property."""
        return self.depth > 1 or bool(self.properties and self.properties[-1].name == "AGENT")

    def add(self, line: str) -> None:
        """Add the property of a line."""
        if self.error is not None:
            return
        found = _parse(line[:MAX_LENGTH], self.version)
        if len(line) > MAX_LENGTH and (found is None or found.name not in _FILES):
            self.error = TOO_LONG
        elif found is not None and found.name == "VERSION":
            self.version = found.text
        elif len(self.properties) == MAX_PROPERTIES:
            self.error = TOO_MANY
        elif found is not None:
            self.properties.append(found)


def read_cards(lines: Iterable[str]) -> Iterator[Card]:
    """Yield the vCards of a file.

    :param lines: the lines of the file with universal line ends.
    """
    card, number = None, 0
    for line in _unfold(lines):
        mark = line[:20].upper().replace(" ", "").rstrip()
        if mark == _BEGIN:
            if card is not None and card.opens_another():
                card.depth += 1
                continue
            if card is not None:
                yield _unclosed(card)
            number += 1
            card = Card(number)
        elif card is not None and mark == _END:
            card.depth -= 1
            if card.depth == 0:
                yield card
                card = None
        elif card is not None and card.depth == 1:
            card.add(line)
    if card is not None:
        yield _unclosed(card)


def _unclosed(card: Card) -> Card:
    return Card(card.number, error=UNCLOSED)


def _unfold(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of properties, joined where they are folded."""
    parts: list[str] = []
    quoted = False
    for raw in lines:
        line = raw.rstrip("\n")
        if quoted and parts[-1].endswith("="):
            parts[-1] = parts[-1][:-1]
            parts.append(line)
        elif parts and line.startswith(_BLANKS):
            parts.append(line[1:])
        else:
            if parts:
                yield "".join(parts)
            parts = [line]
            quoted = _QUOTED_PRINTABLE in line.partition(":")[0].upper()
    if parts:
        yield "".join(parts)


def _parse(line: str, version: str) -> Property | None:
    """Return the property of a line; None for a line that isn't one."""
    found = _HEAD.match(line)
    if found is None:
        return None
    head, value = found.groups()
    name = _NAME.match(head.partition(";")[0])
    if name is None:
        return None
    parameters: dict[str, list[str]] = {}
    for parameter in _PARAMETER.findall(head):
        key, equals, text = parameter.partition("=")
        texts = text.replace('"', "").split(",") if equals else [key]
        parameters.setdefault(key.strip().upper() if equals else "TYPE", []).extend(texts)
    types = frozenset(each.strip().upper() for each in parameters.get("TYPE", ()))
    encodings = {each.strip().upper() for each in parameters.get("ENCODING", ())} | types
    if _QUOTED_PRINTABLE in encodings:
        value = _decode(value, parameters.get("CHARSET", [""])[0].strip())
    return Property(
        name=name[2].upper(),
        group=(name[1] or "").lower(),
        types=types,
        preference=_preference(parameters.get("PREF", [""])[0], types),
        value=value.replace("\r\n", "\n").replace("\r", "\n"),
        version=version,
    )


def _preference(text: str, types: frozenset[str]) -> int:
    """Return the place of a property; 100 is the last one that version 4.0 can state."""
    if text.isascii() and text.isdigit():
        return int(text[:3])
    return 1 if "PREF" in types else 101


def _decode(value: str, charset: str) -> str:
    octets = a2b_qp(value.encode())
    for stated in (charset, "utf-8"):
        try:
            # Some of Python's encodings decode to text that can't be stored.
            return octets.decode(find_encoding(BytesIO(octets), stated))
        except (Invalid, ValueError):
            continue
    return octets.decode("cp1252", "replace")


def _unescape(text: str, version: str) -> str:
    if version == _OLD:
        return text.replace("\\;", ";")
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], text)
