"""The names that the columns of lists of persons have in other tools and languages.

They are read from ``header_names.tsv``. Each name has its part, its language, and the tool that
writes it; ``spreadsheets`` are tables that people make themselves. The names of Thunderbird are
those of its localisations (``importMsgs.properties``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from masthead.csv.columns import JoinedColumns

FAMILY_NAME_FIRST = ("hu", "ja", "ko", "zh")
"""The languages that write the family name first."""
UNSPACED = ("ja", "ko", "zh")
"""The languages that write no blank between family name and given name."""


class HeaderName(NamedTuple):
    """The name of a column in a tool."""

    part: str
    """The content of the column: ``given``, ``family``, ``email``, ``mobile``, …"""
    language: str
    name: str
    source: str
    """The tools that write it."""


@cache
def all_names() -> tuple[HeaderName, ...]:
    """Return all known names, the best ones of each part and language first."""
    text = files("masthead.csv").joinpath("header_names.tsv").read_text("utf-8")
    return tuple(HeaderName(*line.split("\t")) for line in text.splitlines()[1:])


def header_names(*parts: str) -> tuple[str, ...]:
    """Return the names of columns with these parts, in the order of the parts."""
    return tuple(dict.fromkeys(each.name for part in parts for each in _named(part)))


def joined_names() -> tuple[JoinedColumns, ...]:
    """Return the columns of given, middle and family names in each language, in its order."""
    languages = dict.fromkeys(each.language for each in all_names())
    return tuple(_joined(language) for language in languages)


def _joined(language: str) -> JoinedColumns:
    given, middle, family = (
        tuple(each.name for each in _named(part) if each.language == language)
        for part in ("given", "middle", "family")
    )
    if language in FAMILY_NAME_FIRST:
        given, family = family, given
    parts = (given, middle, family) if middle else (given, family)
    return JoinedColumns(parts, close=language in UNSPACED)


def _named(part: str) -> Iterator[HeaderName]:
    return (each for each in all_names() if each.part == part)
