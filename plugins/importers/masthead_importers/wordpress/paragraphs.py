"""Paragraphs of classic posts, which WordPress stores as lines and blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCKS = (
    "address|article|aside|audio|blockquote|caption|center|col|colgroup|dd|details|dialog|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|menu|nav"
    "|object|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video"
)
_BLOCK_TAG = re.compile(rf"(</?(?:{_BLOCKS})(?:\s[^<>]*+)?/?>)", re.IGNORECASE)
_KEPT = re.compile(r"<(/?)(pre|script|style|textarea)\b[^<>]*+>", re.IGNORECASE)
# XML excludes these characters, so no post contains them.
_PLACE = "\x01{}\x02"
_PLACED = re.compile("\x01(\\d+)\x02")
_BLANK_LINES = re.compile(r"\n\s*\n")
_PARAGRAPH = re.compile(r"<p[\s>]", re.IGNORECASE)
_BREAK = re.compile(r"(?:<br\s*/?>\s*)?\n")


def add_paragraphs(html: str) -> str:
    """Return HTML in which blank lines between texts separate paragraphs and lines are broken."""
    kept: list[str] = []
    text = html.replace("\r\n", "\n").replace("\r", "\n")
    parts = _BLOCK_TAG.split("".join(_set_aside(text, kept)))
    # Texts and tags alternate.
    written = [
        part if number % 2 else _paragraphs(part, _enclosing(parts, number))
        for number, part in enumerate(parts)
    ]
    return _PLACED.sub(lambda found: kept[int(found[1])], "".join(written))


def _set_aside(text: str, kept: list[str]) -> Iterator[str]:
    """Yield a text with placeholders for the elements whose lines stay as they are.

    :param kept: the elements are added to it.
    """
    end, opened = 0, None
    for tag in _KEPT.finditer(text):
        name = tag[2].lower()
        if opened is None and not tag[1]:
            opened = tag
        elif opened is not None and tag[1] and opened[2].lower() == name:
            yield text[end : opened.start()]
            kept.append(text[opened.start() : tag.end()])
            place = _PLACE.format(len(kept) - 1)
            yield f"\n\n{place}\n\n" if name == "pre" else place
            end, opened = tag.end(), None
    yield text[end:]


def _enclosing(parts: list[str], number: int) -> str:
    """Return the opening tag of the element that has a text as its only content, or nothing."""
    if number == 0 or number + 1 >= len(parts):
        return ""
    before, after = parts[number - 1], parts[number + 1]
    return before if not before.startswith("</") and after.startswith("</") else ""


def _paragraphs(text: str, enclosing: str) -> str:
    """Return a text between tags of blocks with its paragraphs."""
    if not text.strip():
        return text
    paragraphs = [each.strip() for each in _BLANK_LINES.split(text) if each.strip()]
    if enclosing and (len(paragraphs) == 1 or _PARAGRAPH.match(enclosing)):
        return "</p>\n<p>".join(_BREAK.sub("<br>\n", each) for each in paragraphs)
    return "".join(
        each if _PLACED.fullmatch(each) else f"<p>{_BREAK.sub('<br>' + chr(10), each)}</p>\n"
        for each in paragraphs
    )
