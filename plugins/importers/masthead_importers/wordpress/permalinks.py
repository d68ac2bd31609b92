"""Permalinks: the addresses of posts by the structure in the settings of WordPress."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from masthead import Invalid

_TAG = re.compile(r"%(\w+)%")
_KNOWN = frozenset(
    {
        *("year", "monthnum", "day", "hour", "minute", "second"),
        *("post_id", "postname", "category", "author"),
    }
)


def check_structure(structure: str) -> str:
    """Return a structure such as ``/%year%/%monthnum%/%postname%/``.

    :raises Invalid: for one that can't be that of WordPress.
    """
    unknown = [name for name in _TAG.findall(structure) if name not in _KNOWN]
    if unknown:
        raise Invalid(f"--permalinks: %{unknown[0]}% is unknown")
    if structure and not (structure.startswith("/") and _TAG.search(structure)):
        raise Invalid("--permalinks: Must be like /%year%/%monthnum%/%postname%/")
    return structure


def permalink(structure: str, moment: datetime, values: Mapping[str, str]) -> str:
    """Return the path of a post.

    :param moment: its time in the time zone of the website.
    :param values: ``post_id``, ``postname``, ``category`` and ``author``.
    """
    filled = {
        "year": f"{moment.year:04}",
        "monthnum": f"{moment.month:02}",
        "day": f"{moment.day:02}",
        "hour": f"{moment.hour:02}",
        "minute": f"{moment.minute:02}",
        "second": f"{moment.second:02}",
        **values,
    }
    return _TAG.sub(lambda found: filled[found[1]], structure)
