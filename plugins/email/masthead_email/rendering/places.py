"""Places of placeholders: where in a text, an address, a style or a header a value stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, auto


class Place(IntEnum):
    """A kind of place, which decides how a value is encoded."""

    TEXT = auto()
    """The text of HTML."""
    ATTRIBUTE = auto()
    """An attribute of HTML that holds no address and no style, or a title."""
    LINK = auto()
    """The start of an address in HTML: the value is the whole address, or its first part."""
    URL = auto()
    """The rest of an address in HTML."""
    MAILTO = auto()
    """The rest of an address ``mailto:`` in HTML."""
    STYLE = auto()
    """A style sheet or a ``style`` attribute."""
    PLAIN = auto()
    """Plain text."""
    PLAIN_URL = auto()
    """An address in plain text, after its scheme."""
    HEADER = auto()
    """A field of the header."""


FIXED = frozenset((Place.LINK, Place.URL, Place.MAILTO, Place.STYLE))
"""Places whose text is checked as a whole when it is stored, so that no part may be left out."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a text in which all placeholders have the same place."""

    start: int
    end: int
    place: Place
    scope: int
    """Regions of the same scope belong together: a section starts and ends in one scope."""
    hidden: bool = False
    """Whether only Outlook sees it, because it is in a conditional comment."""


_URL_ATTRIBUTES = frozenset(("background", "cite", "href", "poster", "src", "srcset"))
_PART = re.compile(
    r"""
    <!--\[if[^\]<>]*+\]>(?P<shown><!-->|-->)?
    | (?P<endif><!\[endif\]-->)
    | <(?P<raw>style|title)\b(?P<of_raw>(?:[^"<>]|"[^"]*+")*+)>
    | <[a-zA-Z][a-zA-Z0-9:]*+(?P<attributes>(?:[^"<>]|"[^"]*+")*+)>
    """,
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s="<>/]++)="([^"]*+)\"""")
_PLAIN_URL = re.compile(r"(?:https?://|mailto:)(?:\{\{[^{}]*+\}\}|[^\s<>()\[\]\"{}])*+")
_LONGEST_START = 100
"""The most blanks before a placeholder that starts an address."""


def html_regions(html: str) -> Iterator[Region]:
    """Yield the regions of sanitised HTML, in order."""
    at = scope = 0
    while found := _PART.search(html, at):
        yield Region(at, found.start(), Place.TEXT, scope, bool(scope))
        at = found.end()
        if found["endif"]:
            scope = 0
        elif found["raw"]:
            yield from _attributes(html, found.start("of_raw"), at, hidden=bool(scope))
            end = html.find(f"</{found['raw']}", at)
            end = len(html) if end < 0 else end
            place = Place.STYLE if found["raw"] == "style" else Place.ATTRIBUTE
            yield Region(at, end, place, at, bool(scope))
            at = end
        elif found["attributes"] is not None:
            yield from _attributes(html, found.start("attributes"), at, hidden=bool(scope))
        elif not found["shown"]:
            scope = found.end()
    yield Region(at, len(html), Place.TEXT, scope, bool(scope))


def _attributes(html: str, start: int, end: int, *, hidden: bool) -> Iterator[Region]:
    for found in _ATTRIBUTE.finditer(html, start, end):
        name, place = found[1].lower(), Place.ATTRIBUTE
        if name in _URL_ATTRIBUTES:
            place = Place.URL
        elif name == "style":
            place = Place.STYLE
        yield Region(found.start(2), found.end(2), place, found.start(2), hidden)


def plain_regions(text: str) -> Iterator[Region]:
    """Yield the regions of plain text, in order."""
    at = 0
    for found in _PLAIN_URL.finditer(text):
        yield Region(at, found.start(), Place.PLAIN, 0)
        yield Region(found.start(), found.end(), Place.PLAIN_URL, 0)
        at = found.end()
    yield Region(at, len(text), Place.PLAIN, 0)


def header_regions(text: str) -> Iterator[Region]:
    """Yield the only region of the text of a header field."""
    yield Region(0, len(text), Place.HEADER, 0)


def place_in(region: Region, text: str, at: int) -> Place:
    """Return the place of the placeholder that starts at ``at`` in a region of a text."""
    if region.place is not Place.URL:
        return region.place
    if at - region.start <= _LONGEST_START and not text[region.start : at].strip():
        return Place.LINK
    is_mailto = text[region.start : region.start + 7].lower() == "mailto:"
    return Place.MAILTO if is_mailto else Place.URL
