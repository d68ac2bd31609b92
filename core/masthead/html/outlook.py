"""Conditional comments of e-mails, by which Outlook for Windows gets markup of its own.

``<!--[if mso]>…<![endif]-->`` hides markup from all other programs. It is often unbalanced: one
comment opens a table, and a later one closes it. Therefore its tags are cleaned one by one.
``<!--[if !mso]><!-->…<!--<![endif]-->`` hides the markup between two comments from Outlook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from masthead.html.allowed import TAGS, clean_mail_attributes
from masthead.html.markup import VOID, Token, attributes_of, names_in, tokens
from masthead.html.references import (
    OPENING_BRACE,
    decode,
    escape_references,
    escape_value,
    restore_references,
)
from masthead.html.styles import mail_sheet

NAMESPACES: Final = {
    "xmlns": "http://www.w3.org/1999/xhtml",
    "xmlns:o": "urn:schemas-microsoft-com:office:office",
    "xmlns:v": "urn:schemas-microsoft-com:vml",
    "xmlns:w": "urn:schemas-microsoft-com:office:word",
}
"""The attributes of ``html`` that name the elements below, and their values."""

_VML = names_in(
    """alt angle arcsize aspect class color color2 coordorigin coordsize fill fillcolor filled focus
    height href id inset method o:button o:title opacity origin position rotate size sizes src
    stroke strokecolor stroked strokeweight style title type v:ext width"""
)
_ELEMENTS: Final = {
    name.lower(): name
    for name in names_in(
        """o:AllowPNG o:OfficeDocumentSettings o:PixelsPerInch o:RelyOnVML o:lock o:p v:background
        v:fill v:group v:image v:imagedata v:line v:oval v:path v:rect v:roundrect v:shape
        v:shapetype v:stroke v:textbox v:textpath w:DontUseAdvancedTypographyReadingMail w:View
        w:WordDocument w:Zoom w:anchorlock xml"""
    )
}
"""The elements of Outlook, with their spelling by their lower-case name."""
_HTML = TAGS - {"iframe"}

_HIDDEN = re.compile(r"\[if\s++([\w\s()!&|.]{1,80})\]>(.*)<!\[endif\]", re.DOTALL | re.IGNORECASE)
_SHOWN = re.compile(r"\[if\s++([\w\s()!&|.]{1,80})\]>\s*+(?:<!)?", re.IGNORECASE)
_SHOWN_END = re.compile(r"\s*+<!\[endif\]\s*+", re.IGNORECASE)
_MARK = "\ufddc"
_MARKED = re.compile(f"<!--{_MARK}(\\d+){_MARK}-->")
_BRACES = re.compile(r"\{\{[^{}]*\}\}")
_DASHES = re.compile("--+")


@dataclass
class Comments:
    """The conditional comments of an e-mail, which marks in its HTML stand for."""

    sources: list[str] = field(default_factory=list)
    open: bool = False
    """Whether the markup that follows is hidden from Outlook."""

    def mark(self, content: str) -> str:
        """Return the mark for a comment with this content; blank for one that is dropped."""
        source = self._source(content)
        if not source:
            return ""
        self.sources.append(source)
        return f"<!--{_MARK}{len(self.sources) - 1}{_MARK}-->"

    def restore(self, html: str) -> str:
        """Return HTML with the comments in place of their marks."""
        return _MARKED.sub(lambda found: self.sources[int(found[1])], html)

    def end(self) -> str:
        """Return the comment that ends a part which is still hidden from Outlook."""
        return self.mark("<![endif]") if self.open else ""

    def _source(self, content: str) -> str:
        if hidden := _HIDDEN.fullmatch(content):
            cleaned = clean_fragment(hidden[2])
            return f"<!--{_if(hidden[1])}{cleaned}<![endif]-->" if cleaned.strip() else ""
        shown = _SHOWN.fullmatch(content)
        if shown and not self.open:
            self.open = True
            return f"<!--{_if(shown[1])}<!-->"
        if _SHOWN_END.fullmatch(content) and self.open:
            self.open = False
            return "<!--<![endif]-->"
        return ""


def _if(condition: str) -> str:
    return f"[if {' '.join(condition.split())}]>"


def clean_fragment(html: str) -> str:
    """Return a fragment of an e-mail's HTML, possibly unbalanced, that can stand in a comment.

    It has no ``>`` but those at the end of tags, and no tag ends with a hyphen, so that nothing in
    it ends the comment.
    """
    return "".join(_text(token) + _tag(token) for token in tokens(html))


def _text(token: Token) -> str:
    return _escaped(escape_references(decode(token[0] or "")))


def _tag(token: Token) -> str:
    _, tag, source, is_end, content = token
    spelling = tag if tag in _HTML else _ELEMENTS.get(tag, "")
    if tag == "style" and not is_end:
        return _clean_sheet(content)
    if not spelling:
        return ""
    if is_end:
        return "" if tag in VOID else f"</{spelling}>"
    pairs = "".join(f' {name}="{value}"' for name, value in _attributes(tag, source))
    closed = "/" if tag in _ELEMENTS and source.endswith("/") else ""
    return f"<{spelling}{pairs}{closed}>"


def _attributes(tag: str, source: str) -> Iterator[tuple[str, str]]:
    given = attributes_of(source)
    if "href" in given:
        given["href"] = given["href"].replace(OPENING_BRACE, "{")
    own = _VML if tag in _ELEMENTS else frozenset[str]()
    for name, value in clean_mail_attributes(tag, given, own).items():
        yield name, _escaped(escape_value(value))
    for name, value in given.items():
        if tag in _ELEMENTS and NAMESPACES.get(name) == value:
            yield name, value


def _clean_sheet(content: str) -> str:
    """Return a style sheet without anything that could become the end of the comment."""
    sheet = mail_sheet(restore_references(_BRACES.sub("", content)))
    sheet = _DASHES.sub("", sheet)
    return f"<style>{sheet}</style>" if sheet.strip() else ""


def _escaped(source: str) -> str:
    return restore_references(source).replace(">", "&gt;")
