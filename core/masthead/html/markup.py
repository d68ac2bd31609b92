"""Rewriting any HTML into balanced markup of known tags, in linear time.

nh3 is a complete HTML5 parser with the costs of one: stacks that grow with every unclosed tag,
formatting that is repeated in each following block, tags that switch the tokeniser. The output of
this module avoids them: every tag is known, closed and at most ``MAX_DEPTH`` deep, with nothing but
text between tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from masthead.html.references import decode_value, escape_value, text_recoder

MAX_DEPTH = 200

Rebuild = Callable[[dict[str, str], str], dict[str, str] | None]
"""Takes the attributes of a tag and, for the tags in ``OPAQUE``, its content; returns the new
attributes, or None to drop the tag."""


class Start(NamedTuple):
    """A start tag in balanced markup, and the element that it opens."""

    name: str
    source: str
    size: int
    """The number of characters before attributes were removed, for the limit of repeated tags."""
    is_settled: bool = False
    """Whether the same source would result from this one."""


class Balanced(NamedTuple):
    """Balanced markup."""

    html: str
    is_settled: bool
    """Whether balancing it again is known to change nothing."""


Starts = Callable[[str, str, str], Start | None]
"""Takes the name of a start tag, the source of its attributes and, for the tags in ``OPAQUE``, its
content; returns the tag in the result, or None to drop it."""


def names_in(text: str) -> frozenset[str]:
    """Return the blank-separated words of ``text``."""
    return frozenset(text.split())


COMMENT = "!--"
VOID = names_in("br col hr img input source track wbr")

ADDRESSES = names_in("background cite href poster src")
"""The attributes that hold an address."""
PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
"""A placeholder. E-mails may have them anywhere, and they may expand to nothing."""

# The content of these elements isn't part of the document's text.
OPAQUE = names_in(
    "iframe math noembed noframes script select style svg template textarea title xmp"
)
_CUT_OFF = frozenset(("script", "style"))

# The categories of section 13.2.4.2 of HTML that restrict which elements others may contain.
_CELLS = names_in("caption td th")
_TABLE = names_in("colgroup table tbody tfoot thead tr") | _CELLS
_BLOCKS = _TABLE | names_in(
    "address article aside blockquote center dd details dir div dl dt fieldset figcaption figure "
    "footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary ul"
)
_FORMATTING = names_in("a b big code em font i s small strike strong tt u")
_BOUNDARY = _CELLS | {"table"}
_IN_TABLE = frozenset(("table",))
_IN_LIST = _BLOCKS - {"address", "div", "p", "li", "dd", "dt"}

# The open elements that a start tag closes, and the elements at which the search for them stops.
_CLOSES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "a": (frozenset("a"), _BOUNDARY),
    "li": (frozenset(("li",)), _IN_LIST | {"dd", "dt"}),
    "dd": (frozenset(("dd", "dt")), _IN_LIST | {"li"}),
    "dt": (frozenset(("dd", "dt")), _IN_LIST | {"li"}),
    "rt": (frozenset(("rp", "rt")), _BLOCKS | {"ruby"}),
    "rp": (frozenset(("rp", "rt")), _BLOCKS | {"ruby"}),
    "td": (frozenset(("td", "th")), _IN_TABLE),
    "th": (frozenset(("td", "th")), _IN_TABLE),
    "tr": (frozenset(("tr", "caption", "colgroup")), _IN_TABLE),
    "table": (_IN_TABLE, _CELLS),
} | dict.fromkeys(
    ("tbody", "tfoot", "thead", "colgroup", "caption"),
    (names_in("tbody tfoot thead colgroup caption"), _IN_TABLE),
)
_PARAGRAPH = frozenset("p")
_CLOSES_PARAGRAPH = _BLOCKS - (_TABLE - {"table"})

# Every repetition is possessive, so that no input causes backtracking.
_ATTRIBUTE_NAME = r"[^\t\n\f\ />][^\t\n\f\ />=]*+"
_VALUE = r""""[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) | [^\t\n\f\ >"'][^\t\n\f\ >]*+"""
_EQUALS = r"[\t\n\f\ ]*+=[\t\n\f\ ]*+"
_ATTRIBUTE = rf"{_ATTRIBUTE_NAME}(?:{_EQUALS}(?:{_VALUE})?+)?+"
_TEXT = r"[^<]*+(?:<(?![a-zA-Z/!?])[^<]*+)*+"
_TAG = rf"<(/?)([a-zA-Z][^\t\n\f\ />]*+)((?:[\t\n\f\ /]++|{_ATTRIBUTE})*+)>"
_TEXT_AND_TAG = re.compile(rf"({_TEXT})(?:{_TAG})?+", re.VERBOSE)
_QUOTES = ('"', "'")
_ONE_ATTRIBUTE = re.compile(rf"({_ATTRIBUTE_NAME})(?:{_EQUALS}({_VALUE})?+)?+", re.VERBOSE)
_TAG_START = re.compile(r"</?[a-zA-Z]")
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*+(?::[a-zA-Z0-9-]++)?+")
_COMMENT_END = re.compile(r"--!?>")
_OPAQUE_END = {
    name: re.compile(rf"</{name}(?=[\t\n\f />])", re.ASCII | re.IGNORECASE) for name in OPAQUE
}


def _no_comment(_content: str) -> str:
    """Remove a comment."""
    return ""


def start_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Return the source of a start tag, its values escaped for nh3 (see ``references``)."""
    if not attributes:
        return f"<{name}>"
    pairs = [f' {key}="{escape_value(value)}"' for key, value in attributes.items()]
    return f"<{name}{''.join(pairs)}>"


def rebuilt_starts(tags: Set[str], rebuild: Mapping[str, Rebuild]) -> Starts:
    """Return a function that keeps ``tags`` and rebuilds the attributes of some."""

    def start(name: str, source: str, content: str) -> Start | None:
        if name in rebuild:
            attributes = rebuild[name](attributes_of(source), content)
        else:
            attributes = attributes_of(source) if name in tags else None
        if attributes is None:
            return None
        tag = start_tag(name, attributes)
        return Start(name, tag, len(tag))

    return start


def balance(
    html: str,
    start: Starts,
    comment: Callable[[str], str] = _no_comment,
    ends: Mapping[str, Callable[[], None]] | None = None,
) -> Balanced:
    """Return ``html`` with only some tags, each closed where HTML closes it (HTML 13.2.6).

    ``start`` decides which ones. ``comment`` takes the content of a comment, and returns the source
    that replaces it; by default comments are removed. ``ends`` has functions for the end tags of
    elements, by name. The content of ``OPAQUE`` elements is removed; the content of other unknown
    elements stays. Raises ValueError if more than ``MAX_DEPTH`` elements are open at once.
    """
    tree, ends = _Tree(len(html), text_recoder(html)), ends or {}
    for text, name, source, is_end, content in tokens(html):
        if text is not None:
            tree.text(text)
        if is_end:
            if name in ends:
                ends[name]()
            tree.end(name)
        elif name == COMMENT:
            tree.out.append(comment(content))
        elif name:
            tag = start(name, source, content)
            if tag is not None:
                tree.start(tag)
                if name in OPAQUE:
                    tree.end(name)
    return tree.finish()


def attributes_of(source: str) -> dict[str, str]:
    """Return a tag's attributes: decoded values by lower-case name; the first one counts."""
    found: dict[str, str] = {}
    for name, value in _ONE_ATTRIBUTE.findall(source) if source else ():
        # Most names consist of letters, and a pattern takes longer.
        if (name.isascii() and name.isalpha()) or _NAME.fullmatch(name):
            bare = value[1:-1] if value[:1] in _QUOTES else value
            found.setdefault(name.lower(), decode_value(bare))
    return found


Token = tuple[str | None, str, str, bool, str]


def tokens(html: str) -> Iterator[Token]:
    """Split ``html`` into text, tags and comments, without declarations and opaque content.

    Yields tuples, because there are many: the text before a tag, or None; the name of the tag,
    ``COMMENT``, or blank if only text is left; the source of its attributes; whether it is an end
    tag; and the content of a comment or of an ``OPAQUE`` element.
    """
    at, endless = 0, set[str]()
    while found := _TEXT_AND_TAG.match(html, at):
        text, slash, name, source = found.groups()
        at = found.end()
        if name is None:
            if at == len(html):
                yield text, "", "", False, ""
                return
            if _TAG_START.match(html, at):
                # An incomplete tag: browsers drop it and everything after it. Here it becomes text.
                yield text or None, "", "", False, ""
                yield html[at:], "", "", False, ""
                return
            start, at = at, _after_comment(html, at)
            is_comment = html.startswith("<!--", start) and html.endswith("-->", start + 4, at)
            content = html[start + 4 : at - 3] if is_comment else ""
            yield text or None, COMMENT if is_comment else "", "", False, content
            continue
        name, content = name.lower(), ""
        # `<script src="…" />` has no end tag: for a browser, the rest of the document is script.
        if name in OPAQUE and not slash and not source.endswith("/") and name not in endless:
            end = _OPAQUE_END[name].search(html, at)
            if end is not None:
                content, at = html[at : end.start()], end.start()
            elif name in _CUT_OFF:
                yield text or None, "", "", False, ""
                return
            else:
                endless.add(name)
        yield text or None, name, source, slash == "/", content


def _after_comment(html: str, at: int) -> int:
    """Return the end of the comment, declaration or instruction that starts at ``at``."""
    if html.startswith("<!--", at):
        end = _COMMENT_END.search(html, at + 2)
        return end.end() if end else len(html)
    return html.find(">", at) + 1 or len(html)


@dataclass(slots=True)
class _Tree:
    """The open elements and the output at one point of the document.

    ``lost`` holds formatting elements whose block ended first: HTML reopens them before the
    following text, until their own end tag (13.2.4.3). ``budget`` limits the characters that this
    adds.
    """

    budget: int
    recode: Callable[[str], str]
    """Returns the source of a text as it is in the output."""
    out: list[str] = field(default_factory=list)
    open: list[Start] = field(default_factory=list)
    lost: list[Start] = field(default_factory=list)
    lost_outside: list[list[Start]] = field(default_factory=list)
    """The elements that were lost before each of the open elements of ``_BOUNDARY`` began."""
    names: dict[str, int] = field(default_factory=dict)
    """The number of open elements by name."""
    is_settled: bool = True
    """Whether the same output would result from it: no element was lost, each start tag that closed
    elements has left none to close, and each tag is settled."""

    def text(self, text: str) -> None:
        if self.lost and not text.isspace():
            self._reopen_lost()
        self.out.append(self.recode(text))

    def start(self, tag: Start) -> None:
        name = tag.name
        if not tag.is_settled:
            self.is_settled = False
        for names, stops in _closed_by(name):
            # Few tags close others.
            if not names.isdisjoint(self.names) and self._close(names, stops):
                self.is_settled = self.is_settled and self._find(names, stops) is None
        if self.lost:
            if name == "a":
                self.lost = [element for element in self.lost if element.name != "a"]
            if name not in _BLOCKS:
                self._reopen_lost()
        if name in VOID:
            self.out.append(tag.source)
            return
        if name in _BOUNDARY:
            self.lost_outside.append(self.lost)
            self.lost = []
        self._open(tag)

    def end(self, name: str) -> None:
        if self.open and self.open[-1].name == name:
            self._close_last()
        elif not self._close(*_ended_by(name)):
            for index in reversed(range(len(self.lost))):
                if self.lost[index].name == name:
                    del self.lost[index]
                    break

    def finish(self) -> Balanced:
        is_settled = self.is_settled
        self._close_from(0)
        return Balanced("".join(self.out), is_settled)

    def _open(self, element: Start) -> None:
        name = element.name
        self.open.append(element)
        self.names[name] = self.names.get(name, 0) + 1
        self.out.append(element.source)
        if len(self.open) + len(self.lost) > MAX_DEPTH:
            raise ValueError(f"HTML is nested too deeply (at most {MAX_DEPTH} levels)")

    def _reopen_lost(self) -> None:
        lost, self.lost = self.lost, []
        for element in lost:
            self.budget -= 2 * element.size
            if self.budget > 0:
                self._open(element)

    def _close(self, names: frozenset[str], stops: Set[str]) -> bool:
        """Close the nearest open element of ``names`` and all inside; return whether it exists."""
        index = self._find(names, stops)
        if index is None:
            return False
        self._close_from(index)
        return True

    def _find(self, names: frozenset[str], stops: Set[str]) -> int | None:
        """Return the index of the nearest open element of ``names``; None if there is none."""
        if names.isdisjoint(self.names):
            return None
        for index in reversed(range(len(self.open))):
            if self.open[index].name in names:
                return index
            if self.open[index].name in stops:
                break
        return None

    def _close_from(self, index: int) -> None:
        for _ in range(index + 1, len(self.open)):
            element = self._close_last()
            if element.name in _FORMATTING:
                self.lost.insert(0, element)
                self.is_settled = False
        if index < len(self.open):
            self._close_last()

    def _close_last(self) -> Start:
        element = self.open.pop()
        name = element.name
        self.out.append(f"</{name}>")
        if self.names[name] == 1:
            del self.names[name]
        else:
            self.names[name] -= 1
        if name in _BOUNDARY:
            self.lost = self.lost_outside.pop()
        return element


@lru_cache(256)
def _closed_by(name: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the elements that a start tag closes, each with those at which their search stops."""
    paragraph = ((_PARAGRAPH, _BOUNDARY),) if name in _CLOSES_PARAGRAPH else ()
    return (*paragraph, _CLOSES[name]) if name in _CLOSES else paragraph


@lru_cache(256)
def _ended_by(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the elements that an end tag closes, and those at which the search for them stops."""
    if name in _TABLE:
        return frozenset((name,)), _IN_TABLE
    is_limited = name in _BLOCKS or name in _FORMATTING
    return frozenset((name,)), _BOUNDARY if is_limited else _BLOCKS
