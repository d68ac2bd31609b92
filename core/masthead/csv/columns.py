"""Find the columns of a table by the names in its header."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from masthead.db import fold
from masthead.errors import Invalid
from masthead.unicode.characters import is_unseen
from masthead.unicode.normalization import normalized

_NO_LETTER = re.compile(r"[\W_]+")
# Chinese characters, kana and Hangul, which need no blank between two names.
_UNSPACED = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True)
class JoinedColumns:
    """Columns that form a value together, such as first, middle and last name."""

    parts: tuple[tuple[str, ...], ...]
    """The parts in their order, each with its names, the best one first. A file must have the
    first and the last part."""
    close: bool = False
    """Whether no blank stands between Chinese, Japanese or Korean parts."""


class Source(NamedTuple):
    """The cells of a row that form a value."""

    cells: tuple[int, ...]
    close: bool = False
    whole: bool = False
    """Whether one of the cells may have the whole value already, as a column ``Name`` may."""


@dataclass(frozen=True)
class CsvColumn:
    """A column to find in a file: its name, and the names that other tools give it.

    Names are compared without regard to case, accents, blanks and punctuation. If a file has
    several of these columns, the first one that isn't blank in a row is used: the name, then the
    aliases in their order, then the joined columns, then the fallbacks.
    """

    name: str
    aliases: tuple[str, ...] = ()
    joined: tuple[JoinedColumns, ...] = ()
    fallbacks: tuple[str, ...] = ()
    required: bool = False
    """Whether a file without the column is refused."""
    first_only: bool = False
    """Whether only the first of several values in a cell is used; Google joins them with `` ::: ``.
    """
    amend: Callable[[dict[str, str]], None] | None = None
    """A function that changes the texts of a row, by the columns' names, if the file has the
    column."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of the name and the aliases."""
        return _unique(map(header_key, (self.name, *self.aliases)))

    @cached_property
    def joined_keys(self) -> tuple[tuple[tuple[tuple[str, ...], ...], bool], ...]:
        """The keys of the parts of each of the joined columns, and whether they are close."""
        return tuple(
            (tuple(_unique(map(header_key, names)) for names in each.parts), each.close)
            for each in self.joined
        )

    @cached_property
    def fallback_keys(self) -> tuple[str, ...]:
        """The keys of the fallbacks."""
        return _unique(map(header_key, self.fallbacks))

    def knows(self, key: str) -> bool:
        """Whether a key is that of one of its names."""
        joined = (names for parts, _close in self.joined_keys for names in parts)
        return any(key in keys for keys in (self.keys, self.fallback_keys, *joined))

    def find(self, places: Mapping[str, Sequence[int]]) -> list[Source]:
        """Return the sources of the column's values in a row, the best one first.

        :param places: the indexes of the columns of a file, by the keys of their names.
        """
        joined = list(dict.fromkeys(self._find_joined(places)))
        parts = {at for source in joined for at in source.cells}
        alone = [
            [at for key in keys for at in places.get(key, ()) if at not in parts]
            for keys in (self.keys, self.fallback_keys)
        ]
        first, last = ([Source((at,)) for at in each] for each in alone)
        return [*first, *joined, *last]

    def _find_joined(self, places: Mapping[str, Sequence[int]]) -> Iterator[Source]:
        for parts, close in self.joined_keys:
            keys = [next((key for key in names if key in places), None) for names in parts]
            found = [key for key in keys if key is not None]
            if keys[0] is not None and keys[-1] is not None and len(set(found)) == len(found):
                whole = any(key in self.keys for key in found)
                yield Source(tuple(places[key][0] for key in found), close, whole)


def header_key(name: str) -> str:
    """Return the form of a column's name in which names are compared."""
    # A dotless i is the small letter of I in Turkish only.
    return _NO_LETTER.sub("", normalized(name, "NFKD").casefold()).replace("ı", "i")


def find_columns(columns: Sequence[CsvColumn], header: Sequence[str]) -> dict[str, list[Source]]:
    """Return the sources of each column in the header, by the column's name."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, cell in enumerate(header):
        if key := header_key(cell):
            places[key].append(at)
    found = {column.name: column.find(places) for column in columns}
    return {name: sources for name, sources in found.items() if sources}


def refuse_repeated(header: Sequence[str], used: Iterable[int]) -> None:
    """Check that no column that is used is there twice.

    :param used: the indexes of the columns that are used.
    :raises Invalid: if two of them have the same name.
    """
    indexes = sorted(set(used))
    times = Counter(fold(header[at]).strip() for at in indexes)
    for at in indexes:
        if times[fold(header[at]).strip()] > 1:
            raise Invalid(f"The column {header[at].strip()[:50]} is there twice")


def joined_text(cells: Sequence[str], source: Source) -> str:
    """Return the text of the cells of a source, joined by blanks."""
    texts = (cells[at].strip() for at in source.cells)
    parts = [text for text in texts if text and (text.isascii() or not is_unseen(text))]
    if source.whole and len(parts) > 1:
        parts = _without_repeated(parts)
    if not source.close:
        return " ".join(parts)
    joined = ""
    for part in parts:
        touching = joined and _UNSPACED.match(joined[-1]) and _UNSPACED.match(part)
        joined += part if touching or not joined else f" {part}"
    return joined


def _without_repeated(parts: list[str]) -> list[str]:
    """Return the longest part alone if it has the words of all others."""
    longest = max(parts, key=len)
    words = set(fold(longest).split())
    return [longest] if all(words.issuperset(fold(part).split()) for part in parts) else parts


def _unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))
