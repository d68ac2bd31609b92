"""Repairing the placeholders of links that an editor has escaped or put behind a scheme."""

from __future__ import annotations

import re

from masthead import change_links

UNSUBSCRIBE = "unsubscribe"
ARCHIVE = "archive"
PREFERENCES = "preferences"
CLICK = "click-token"
"""The token in tracked links. No field has this name, so staff can't use it in a letter."""

_ESCAPED = re.compile(r"(?:\{|%7B){2}((?:[\w .|-]|%20|%7C)++)(?:\}|%7D){2}", re.IGNORECASE)
_WHOLE_LINK = re.compile(
    r"\s*+(?:[a-z]++:)?(?://)?(?:[^\s?#{}]*/)?"
    rf"(\{{\{{\s*+(?:{UNSUBSCRIBE}|{ARCHIVE}|{PREFERENCES})\s*+\}}\}})\s*+",
    re.IGNORECASE,
)


def repair_links(html: str) -> str:
    """Return sanitised HTML in which escaped placeholders in addresses are placeholders.

    An address that consists of a host and the placeholder of a link, such as
    ``http://{{unsubscribe}}``, becomes the placeholder.
    """
    return change_links(html, _repaired)


def _repaired(address: str) -> str:
    address = _ESCAPED.sub(_unescaped, address)
    whole = _WHOLE_LINK.fullmatch(address)
    return whole[1] if whole else address


def _unescaped(braces: re.Match[str]) -> str:
    inner = re.sub("%20", " ", braces[1])
    return f"{{{{{re.sub('%7C', '|', inner, flags=re.IGNORECASE)}}}}}"
