"""Changing the addresses in sanitised HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from masthead.html.markup import ADDRESSES
from masthead.html.references import decode_value

_TAG = re.compile(r"<[a-zA-Z][a-zA-Z0-9]*+(?:[^\"<>]|\"[^\"]*+\")++>")
# Matches whole attributes, because a value may look like another attribute.
_ATTRIBUTE = re.compile(r" ([^\s=\"]++)=\"([^\"]*+)\"")
_CANDIDATE = re.compile(r"([^\s,](?:\S*[^\s,])?)([^,]*+)")


def change_links(html: str, change: Callable[[str], str]) -> str:
    """Return ``html``, the output of ``clean``, with each of its addresses changed.

    :param change: takes a decoded address (without character references) and returns the new one.
    """

    def changed(attribute: re.Match[str]) -> str:
        name, value = attribute[1], decode_value(attribute[2])
        if name in ADDRESSES:
            return f' {name}="{escape(change(value))}"'
        if name == "srcset":
            return f' {name}="{escape(_change_candidates(value, change))}"'
        return attribute[0]

    return _TAG.sub(lambda tag: _ATTRIBUTE.sub(changed, tag[0]), html)


def _change_candidates(srcset: str, change: Callable[[str], str]) -> str:
    """Change the addresses in a ``srcset``, each with its descriptor (HTML 4.8.4.2.1)."""
    return _CANDIDATE.sub(lambda found: change(found[1]) + found[2], srcset)
