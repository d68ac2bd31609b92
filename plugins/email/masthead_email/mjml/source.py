"""Reading MJML before it is compiled: its structure, its limits, and messages with lines.

The compiler gives no line of a mistake, has no limits, and takes the content of a text for XML.
Therefore it gets only the elements, with marks in place of contents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from html import escape, unescape
from typing import Final

from masthead_email.mjml.elements import (
    ATTRIBUTES,
    CHILDREN,
    NAMES,
    OPAQUE,
    REFUSED,
    ROOT,
    STYLE,
    TEXTS,
    parents_of,
)

MAX_ELEMENTS: Final = 2_000
MAX_IMAGES: Final = 20
"""The limit of images in a carousel, whose style sheet grows with their square."""
MAX_COPIES: Final = 20_000_000
"""The limit of characters in attributes times elements, as each may inherit all of them."""

# Every repetition is possessive, so that no input causes backtracking.
_ATTRIBUTE = r"""\s++([a-zA-Z_][\w:.-]*+)\s*+=\s*+("[^"<]*+"|'[^'<]*+')"""
_TAG = re.compile(rf"<(/?)([a-zA-Z][\w-]*+)((?:{_ATTRIBUTE})*+)\s*+(/?)>")
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_NAME = re.compile(r"</?[\w-]*+")
_END = re.compile(r"</mj-[a-z-]++\s*+>")
_SHOWN = 40
_MARK = "\ufdd3{}\ufdd3"
"""Stands for a content; a noncharacter, which sources don't have."""
_MARKED = re.compile(_MARK.format(r"(\d++)"))


@dataclass(frozen=True, slots=True)
class _Open:
    name: str
    at: int


@dataclass(slots=True)
class MjmlSource:
    """The elements of an MJML document, and the contents that the compiler doesn't get."""

    text: str
    elements: list[str] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    number: int = 0
    images: int = 0
    characters: int = 0
    at: int = 0

    def __post_init__(self) -> None:
        self.text = self.text.replace(_MARK[0], "")

    def read(self) -> str:
        """Return the document with marks in place of contents.

        :raises ValueError: for a mistake; the message has the line and the element.
        """
        while (found := self.text.find("<", self.at)) >= 0:
            self._check_text(self.text[self.at : found])
            self.at = found
            if not self._skip_comment():
                self._read_tag()
        self._check_text(self.text[self.at :])
        if self.open:
            raise self._error(f"{self.open[-1].name} isn't closed", self.open[-1].at)
        if not self.number:
            raise ValueError(f"Must be an element {ROOT}")
        if self.characters * self.number > MAX_COPIES:
            raise ValueError("MJML has too many attributes for its number of elements")
        return "".join(self.elements)

    def filled(self, compiled: str) -> str:
        """Return compiled HTML with the contents in place of their marks."""
        return _MARKED.sub(lambda mark: self.contents[int(mark[1])], compiled)

    def _check_text(self, text: str) -> None:
        if shown := text.strip():
            inside = self.open[-1].name if self.open else "the document"
            start = self.at + len(text) - len(text.lstrip())
            hint = "put it into mj-text or mj-raw"
            raise self._error(f"text can't stand in {inside}: {shown[:_SHOWN]!r}; {hint}", start)

    def _skip_comment(self) -> bool:
        if not self.text.startswith("<!--", self.at):
            return False
        end = self.text.find("-->", self.at)
        if end < 0:
            raise self._error("a comment isn't closed")
        self.at = end + 3
        return True

    def _read_tag(self) -> None:
        tag = _TAG.match(self.text, self.at)
        if tag is None:
            start = _NAME.match(self.text, self.at)
            shown = start[0] if start else "<"
            raise self._error(f"{shown} isn't a complete tag whose attributes have quoted values")
        name = tag[2].lower()
        if tag[1]:
            self._end(name)
            self.at = tag.end()
            return
        self._check_element(name)
        self.elements.append(f"<{name}{self._attributes(name, tag[3])}>")
        self.open.append(_Open(name, self.at))
        self.at = tag.end()
        if tag[6]:
            self._end(name)
        elif name in OPAQUE and not self._is_in(ATTRIBUTES):
            self._take_content(name)

    def _check_element(self, name: str) -> None:
        parent = self.open[-1].name if self.open else ""
        if name in REFUSED:
            raise self._error(REFUSED[name])
        if name not in NAMES:
            similar = get_close_matches(name, NAMES, 1, 0.75)
            hint = f"did you mean {similar[0]}?" if similar else "put HTML into mj-text or mj-raw"
            raise self._error(f"{name} is no element of MJML: {hint}")
        if name not in CHILDREN.get(parent, ()) or (not parent and self.number):
            where = ", ".join(parents_of(name)) or "the whole document"
            raise self._error(f"{name} can't be in {parent or 'the document'}, only in {where}")
        self.number += 1
        self.images = 0 if name == "mj-carousel" else self.images + (name == "mj-carousel-image")
        if self.images > MAX_IMAGES:
            raise self._error(f"mj-carousel has more than {MAX_IMAGES} images")
        if self.number > MAX_ELEMENTS:
            raise ValueError(f"MJML has more than {MAX_ELEMENTS} elements")

    def _attributes(self, name: str, source: str) -> str:
        """Return the source of an element's attributes; the first one of a name counts."""
        found: dict[str, str] = {}
        for key, value in _ONE_ATTRIBUTE.findall(source):
            found.setdefault(key, value[1:-1].replace('"', "&quot;"))
        # Styles are inlined when the letter is sent.
        if name == STYLE:
            found.pop("inline", None)
        self.characters += len(source)
        return "".join(f' {key}="{value}"' for key, value in found.items())

    def _take_content(self, name: str) -> None:
        end = re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(self.text, self.at)
        if end is None:
            raise self._error(f"{name} isn't closed", self.open[-1].at)
        content = self.text[self.at : end.start()]
        if other := _END.search(content):
            raise self._error(f"{other[0]} ends nothing in {name}", self.at + other.start())
        self.elements.append(_MARK.format(len(self.contents)))
        self.contents.append(escape(unescape(content.strip())) if name in TEXTS else content)
        self._end(name)
        self.at = end.end()

    def _end(self, name: str) -> None:
        if not self.open or self.open[-1].name != name:
            still = f"; {self.open[-1].name} is open" if self.open else ""
            raise self._error(f"</{name}> ends nothing{still}")
        self.open.pop()
        self.elements.append(f"</{name}>")

    def _is_in(self, name: str) -> bool:
        return len(self.open) > 1 and self.open[-2].name == name

    def _error(self, message: str, at: int | None = None) -> ValueError:
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return ValueError(f"Line {line}: {message}")
