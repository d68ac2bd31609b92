"""Content in the form of Ghost 1 to 4: sections, markers and cards (Mobiledoc 0.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from masthead_importers.ghost.cards import write_card

_MARKUP, _IMAGE, _LIST, _CARD = 1, 2, 3, 10
"""The kinds of sections."""
_TAGS = frozenset(
    (
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "aside", "pull-quote", "ul", "ol"),
        *("strong", "b", "em", "i", "u", "s", "sub", "sup", "code", "a"),
    )
)


def write_mobiledoc(document: Any, unknown: Callable[[str], None]) -> str:
    """Return the HTML of a document; malformed parts are left out.

    :param unknown: reports the kind of a card that is left out.
    """
    if not isinstance(document, dict):
        return ""
    sections = document.get("sections")
    writer = _Writer(document, unknown)
    return "".join(writer.section(each) for each in sections or () if isinstance(each, list))


class _Writer:
    def __init__(self, document: Mapping[str, Any], unknown: Callable[[str], None]) -> None:
        self._document = document
        self._unknown = unknown

    def section(self, section: Sequence[Any]) -> str:
        """Return the HTML of a section."""
        try:
            kind = section[0]
            if kind == _MARKUP:
                return _element(str(section[1]), self._markers(section[2]))
            if kind == _IMAGE:
                return f'<img src="{escape(str(section[1]))}" alt="">'
            if kind == _LIST:
                items = "".join(f"<li>{self._markers(each)}</li>" for each in section[2])
                return _element(str(section[1]), items)
            if kind == _CARD:
                return self._card(section[1])
        except (IndexError, KeyError, TypeError):
            self._unknown("damaged")
        return ""

    def _card(self, number: int) -> str:
        name, payload = self._document["cards"][number][:2]
        shown = write_card(str(name), payload if isinstance(payload, dict) else {})
        if shown is None:
            self._unknown(str(name))
        return shown or ""

    def _markers(self, markers: Sequence[Any]) -> str:
        parts: list[str] = []
        opened: list[str] = []
        for kind, opening, closing, value in markers:
            for number in opening:
                tag, *attributes = self._document["markups"][number]
                parts.append(_start(str(tag), attributes[0] if attributes else []))
                opened.append(str(tag))
            text = value if kind == 0 else self._document["atoms"][value][1]
            is_break = kind == 1 and self._document["atoms"][value][0] == "soft-return"
            parts.append("<br>" if is_break else escape(str(text), quote=False))
            for _ in range(min(closing, len(opened))):
                tag = opened.pop()
                parts.append(f"</{tag}>" if tag in _TAGS else "")
        return "".join(parts)


def _start(tag: str, attributes: Sequence[Any]) -> str:
    """Return an opening tag; names and values of attributes alternate."""
    if tag not in _TAGS:
        return ""
    pairs = dict(zip(attributes[::2], attributes[1::2], strict=False))
    return f'<a href="{escape(str(pairs.get("href", "")))}">' if tag == "a" else f"<{tag}>"


def _element(tag: str, inner: str) -> str:
    name = tag if tag in _TAGS - {"pull-quote"} else "blockquote" if tag == "pull-quote" else "p"
    return f"<{name}>{inner}</{name}>"
