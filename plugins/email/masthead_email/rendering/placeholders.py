"""Placeholders, ``{{name}}``: replaced in one pass, without scanning values again.

``{{name|Friends}}`` has a fallback for a missing value. The text between ``{{#name}}`` and
``{{/name}}``, a section, is left out if there is no value; with ``{{^name}}`` if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from masthead_email.rendering.places import (
    FIXED,
    Place,
    Region,
    header_regions,
    html_regions,
    place_in,
    plain_regions,
)
from masthead_email.rendering.values import encoded

_BRACES = re.compile(r"\{\{([^{}]*+)\}\}")
# Names only: no attribute access, filters or expressions.
_CONTENT = re.compile(r"\s*+([#^/]?)\s*+([^\W\d][\w.-]*+)\s*+(?:\|([^<>]*+))?")
_SHOWN = 40
"""The number of characters of a mistake that its message shows."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder of a text, and its place."""

    name: str
    fallback: str
    place: Place
    hidden: bool = False
    """Whether only Outlook sees it."""

    def source(self, values: Mapping[str, object]) -> str:
        """Return the encoded value, or the encoded fallback if the value is missing or blank."""
        value = value_of(values, self.name)
        return encoded(value if value.strip() else self.fallback or value, self.place)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text that depends on whether there is a value."""

    name: str
    inverted: bool
    start: int
    """The index of its first piece."""
    end: int
    """The index after its last piece."""

    def is_left_out(self, values: Mapping[str, object]) -> bool:
        """Whether a reader with these values doesn't see it."""
        return bool(value_of(values, self.name).strip()) is self.inverted


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text, split at its placeholders."""

    pieces: list[str | Placeholder]
    sections: list[Section]
    mistakes: list[str]
    """Messages about text that looks like a placeholder and is none; it stays as it is."""

    @property
    def placeholders(self) -> list[Placeholder]:
        """The placeholders, in order."""
        return [piece for piece in self.pieces if isinstance(piece, Placeholder)]

    def names(self) -> set[str]:
        """Return the names of placeholders and sections."""
        return {each.name for each in self.placeholders} | {each.name for each in self.sections}

    def always_shows(self, name: str) -> bool:
        """Whether every reader who has a value sees it, in text or as an address."""
        conditions = [s for s in self.sections if s.inverted or s.name != name]
        return any(
            isinstance(piece, Placeholder)
            and piece.name == name
            and not piece.hidden
            and piece.place not in (Place.ATTRIBUTE, Place.STYLE)
            and not any(section.start <= index < section.end for section in conditions)
            for index, piece in enumerate(self.pieces)
        )

    def filled(self, values: Mapping[str, object]) -> str:
        """Return the text with values."""
        pieces = [p if isinstance(p, str) else p.source(values) for p in self.pieces]
        for section in self.sections:
            if section.is_left_out(values):
                pieces[section.start : section.end] = [""] * (section.end - section.start)
        return "".join(pieces)


def value_of(values: Mapping[str, object], name: str) -> str:
    """Return the value of a name; blank if it is missing."""
    value = values.get(name)
    return "" if value is None else str(value)


def parse_html(html: str) -> Parsed:
    """Parse sanitised HTML."""
    return _Parser(html, html_regions(html), in_html=True).parse()


def parse_plain(text: str) -> Parsed:
    """Parse plain text."""
    return _Parser(text, plain_regions(text)).parse()


def parse_header(text: str) -> Parsed:
    """Parse the text of a header field, such as a subject."""
    return _Parser(text, header_regions(text)).parse()


def names(*texts: str | None) -> list[str]:
    """Return the distinct names of placeholders and sections in texts, in order of appearance."""
    inner = (braces for text in texts if text for braces in _BRACES.findall(text))
    found: Iterable[str] = (content[2] for each in inner if (content := _CONTENT.fullmatch(each)))
    return list(dict.fromkeys(found))


def replace(text: str, name: str, source: str) -> str:
    """Replace one placeholder by source, without encoding it; keep all else."""

    def replaced(braces: re.Match[str]) -> str:
        content = _CONTENT.fullmatch(braces[1])
        return source if content and (content[1], content[2]) == ("", name) else braces[0]

    return _BRACES.sub(replaced, text)


@dataclass(slots=True)
class _Open:
    """A section whose end isn't found yet."""

    name: str
    inverted: bool
    scope: int
    start: int
    source: str


@dataclass(slots=True)
class _Parser:
    text: str
    regions: Iterator[Region]
    in_html: bool = False
    pieces: list[str | Placeholder] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)

    def parse(self) -> Parsed:
        region, at = next(self.regions), 0
        for braces in _BRACES.finditer(self.text):
            while braces.start() >= region.end and (later := next(self.regions, None)):
                region = later
            self._add_text(self.text[at : braces.start()])
            at = braces.end()
            self._add_braces(braces, region)
        self._add_text(self.text[at:])
        for section in self.open:
            self._keep_literally(section)
        return Parsed(self.pieces, self.sections, self.mistakes)

    def _add_text(self, text: str) -> None:
        self.pieces.append(text)
        at = text.find("{{")
        if at >= 0:
            self.mistakes.append(f"{text[at : at + _SHOWN]} isn't closed by }}}}")

    def _add_braces(self, braces: re.Match[str], region: Region) -> None:
        content = _CONTENT.fullmatch(braces[1])
        if content is None or braces.start() < region.start or braces.end() > region.end:
            self.pieces.append(braces[0])
            self.mistakes.append(f"{braces[0][:_SHOWN]} is no placeholder, such as {{{{name}}}}")
        elif content[1]:
            self._add_mark(braces[0], content, region)
        else:
            fallback = (content[3] or "").strip()
            place = place_in(region, self.text, braces.start())
            if self.text[braces.start() - 1 : braces.start()] == "{":
                self.mistakes.append(f"{{{braces[0]}}} must have two braces: {braces[0]}")
            fallback = unescape(fallback) if self.in_html else fallback
            self.pieces.append(Placeholder(content[2], fallback, place, region.hidden))

    def _add_mark(self, source: str, content: re.Match[str], region: Region) -> None:
        """Add the start or the end of a section."""
        mark, name = content[1], content[2]
        if region.place in FIXED:
            self.pieces.append(source)
            self.mistakes.append(f"{source} can't be in an address or a style")
        elif mark != "/":
            self.pieces.append("")
            start = len(self.pieces)
            self.open.append(_Open(name, mark == "^", region.scope, start, source))
        elif self.open and (self.open[-1].name, self.open[-1].scope) == (name, region.scope):
            self._close(self.open.pop(), source)
        else:
            self.pieces.append(source)
            self.mistakes.append(f"{source} has no {{{{#{name}}}}} before it in the same text")

    def _close(self, section: _Open, source: str) -> None:
        end = len(self.pieces)
        if not any(self.pieces[section.start : end]):
            self.mistakes.append(f"{section.source}{source} is empty; it can't surround rows")
        self.pieces.append("")
        self.sections.append(Section(section.name, section.inverted, section.start, end))

    def _keep_literally(self, section: _Open) -> None:
        self.pieces[section.start - 1] = section.source
        self.mistakes.append(f"{section.source} isn't closed by {{{{/{section.name}}}}}")
