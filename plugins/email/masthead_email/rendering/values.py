"""Values of placeholders, encoded for the place in which they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import quote

from masthead_email.rendering.places import Place

_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:)[^\s]", re.IGNORECASE)
_RESERVED = "!#$%&'()*+,/:;=?@[]~"
_NOT_IN_STYLE = re.compile(r"[^\w #%.,-]")


def encoded(value: str, place: Place) -> str:
    """Return the source of a value at a place; the value can't end what surrounds it."""
    return _ENCODERS[place](value)


def _unchanged(value: str) -> str:
    return value


def _link(value: str) -> str:
    """Return the source of an address; other text becomes a path, so that it runs no script."""
    safe = _RESERVED if _ADDRESS.match(value) else ""
    return escape(quote(value, safe=safe, errors="replace"))


def _percent(value: str) -> str:
    return quote(value, safe="", errors="replace")


def _mailto(value: str) -> str:
    return quote(value, safe="@", errors="replace")


def _style(value: str) -> str:
    return _NOT_IN_STYLE.sub("", value)


_ENCODERS: Mapping[Place, Callable[[str], str]] = {
    Place.TEXT: escape,
    Place.ATTRIBUTE: escape,
    Place.LINK: _link,
    Place.URL: _percent,
    Place.MAILTO: _mailto,
    Place.STYLE: _style,
    Place.PLAIN: _unchanged,
    Place.PLAIN_URL: _percent,
    # The header is encoded as a whole.
    Place.HEADER: _unchanged,
}
