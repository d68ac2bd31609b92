"""Writing XML 1.0 from any text: what it can't hold is dropped, what it would read is escaped."""

from __future__ import annotations

import re

# All but tab, line feed, carriage return and the characters of XML 1.0 section 2.2.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def escape(text: str) -> str:
    """The text as content of an element, or between double quotes as an attribute's value."""
    text = _FORBIDDEN.sub("", text).replace("&", "&amp;")
    text = text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    # A parser would make a line feed of it.
    return text.replace("\r", "&#13;")


def element(name: str, text: str = "", **attributes: str) -> str:
    """An element with text in it, on a line of its own."""
    tag = name + "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{tag}>{escape(text)}</{name}>\n" if text else f"<{tag}/>\n"
