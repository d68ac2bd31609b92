"""Texts with their differences marked, as HTML that is safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

from masthead.history.tokens import Part, Tokens, TooDifferentError, compare_texts
from masthead.schemas.html_type import HTML_BYTES, Html
from masthead.settings import Settings

_LONGEST = 4 * HTML_BYTES
"""The bytes of two texts with their marks."""
_MEDIA = re.compile(r"<(?:img|iframe|video|audio)\b", re.IGNORECASE)
_BREAK = re.compile(r"</(?:p|li|h[1-6]|tr|div|blockquote|pre|dd|dt)>|<br\b", re.IGNORECASE)


@dataclass(frozen=True)
class Marked:
    """Two texts as one, with ``<ins>`` around new words and ``<del>`` around former ones."""

    html: str | None
    """None if the texts are too different to be compared."""
    markup: bool = False
    """Whether formatting, links or attributes differ, too, which no mark shows."""


def mark_text(former: str, latter: str) -> Marked:
    """Mark the differences of two plain texts."""
    try:
        parts = compare_texts(former, latter, html=False)
    except TooDifferentError:
        return Marked(None)
    return Marked("".join(_escaped(part) for part in parts))


def mark_html(former: str, latter: str, settings: Settings) -> Marked:
    """Mark the differences of two sanitised texts in HTML.

    The result has the tags of the latter. Former words are shown without their formatting.
    """
    try:
        parts = compare_texts(former, latter, html=True)
    except TooDifferentError:
        return Marked(None)
    marked = "".join(text for part in parts for text in _marked(part))
    changed = [part for part in parts if not part.is_equal]
    markup = any(_markup(part.former) != _markup(part.latter) for part in changed)
    # Former words may stand where no text can, such as between the rows of a table.
    try:
        return Marked(Html(_LONGEST).bound(settings).cleaned(marked), markup)
    except ValueError:
        return Marked(None)


def _escaped(part: Part) -> str:
    former, latter = escape("".join(part.former)), escape("".join(part.latter))
    if part.is_equal:
        return latter
    removed = f"<del>{former}</del>" if former else ""
    return removed + (f"<ins>{latter}</ins>" if latter else "")


def _marked(part: Part) -> Iterator[str]:
    if part.is_equal:
        yield "".join(part.latter)
        return
    for is_tag, group in groupby(part.former, _is_markup):
        text = "".join(group)
        if not is_tag:
            yield f"<del>{text}</del>" if text.strip() else ""
        elif _BREAK.search(text):
            yield "<br>"
    for is_tag, group in groupby(part.latter, _is_markup):
        text = "".join(group)
        yield text if is_tag or not text.strip() else f"<ins>{text}</ins>"


def _is_markup(token: str) -> bool:
    """Whether a token is a tag; pictures and players count as text."""
    return token.startswith("<") and len(token) > 1 and not _MEDIA.match(token)


def _markup(tokens: Tokens) -> list[str]:
    return [token for token in tokens if _is_markup(token)]
