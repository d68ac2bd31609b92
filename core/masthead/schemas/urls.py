"""Recognises addresses that clients may send."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# Browsers accept blanks in addresses, and treat a backslash as a slash.
_URL = re.compile(
    r"(?:https?://[^\s\\/?#]+(?![^/?#])|mailto:[^\s\\?]|/(?!/))(?:[^\s\\]| )*\Z", re.IGNORECASE
)


def is_url(text: str) -> bool:
    """Whether text is an ``http``, ``https`` or ``mailto`` address, or a path with one slash.

    Later code can parse it, for example to make it absolute.
    """
    try:
        return _URL.match(text) is not None and urlsplit(text).port != 0
    except ValueError:
        return False
