"""Content in the form of Ghost 5 and later: a tree of nodes (Lexical)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from masthead_importers.ghost.cards import write_card

Unknown = Callable[[str], None]
"""Reports the kind of a node that is left out."""
_MAX_DEPTH = 60
_FORMATS = (
    *((1, "strong"), (2, "em"), (4, "s"), (8, "u"), (16, "code"), (32, "sub"), (64, "sup")),
)
"""The bits of a text's format, and their elements."""
_ELEMENTS: Mapping[str, str] = {
    "aside": "aside",
    "extended-quote": "blockquote",
    "listitem": "li",
    "paragraph": "p",
    "quote": "blockquote",
    "tablecell": "td",
    "tablerow": "tr",
}
_TEXTS = frozenset({"text", "extended-text", "tab"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def write_lexical(document: Any, unknown: Unknown) -> str:
    """Return the HTML of a document."""
    root = document.get("root") if isinstance(document, dict) else None
    return _children(root, unknown, 0) if isinstance(root, dict) else ""


def _children(node: Mapping[str, Any], unknown: Unknown, depth: int) -> str:
    children = node.get("children")
    if not isinstance(children, list) or depth > _MAX_DEPTH:
        return ""
    return "".join(_node(each, unknown, depth + 1) for each in children if isinstance(each, dict))


def _node(node: Mapping[str, Any], unknown: Unknown, depth: int) -> str:
    kind = str(node.get("type", ""))
    if kind in _TEXTS:
        return _text(node)
    if kind == "linebreak":
        return "<br>"
    if (card := write_card(kind, node)) is not None:
        return card
    inner = _children(node, unknown, depth)
    if kind == "link":
        return f'<a href="{escape(str(node.get("url", "")))}">{inner}</a>'
    if tag := _tag(kind, node):
        return f"<{tag}>{inner}</{tag}>"
    if not inner:
        unknown(kind)
    return inner


def _tag(kind: str, node: Mapping[str, Any]) -> str:
    tag = str(node.get("tag", ""))
    if kind in ("heading", "extended-heading"):
        return tag if tag in _HEADINGS else "h2"
    if kind == "list":
        return "ol" if node.get("listType") == "number" else "ul"
    return _ELEMENTS.get(kind, "")


def _text(node: Mapping[str, Any]) -> str:
    shown = escape(str(node.get("text", "")), quote=False)
    given = node.get("format")
    bits = given if isinstance(given, int) else 0
    for bit, tag in _FORMATS:
        if bits & bit:
            shown = f"<{tag}>{shown}</{tag}>"
    return shown
