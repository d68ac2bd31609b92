"""Columns that say whether a person is subscribed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce

from masthead import find_date_order, fold, read_foreign_time
from masthead_email.subscribers.models import SUBSCRIBED, UNSUBSCRIBE_KINDS

_SEVERITY = (None, SUBSCRIBED, *UNSUBSCRIBE_KINDS)
_NEITHER_LETTER_NOR_DIGIT = re.compile(r"[\W_]+")

YES = ("yes", "y", "true", "t", "1", "x", "on", "ja", "j", "oui", "si", "sí", "sim", "tak", "wahr")
NO = ("no", "n", "false", "f", "0", "off", "nein", "non", "não", "nee", "nie", "falsch")
_NEVER = ("", "0", "0000-00-00", "0000-00-00 00:00:00", "null", "none", "never", "-", "n/a")
_LONGEST = 100
"""The number of characters of a value that are compared with words."""


@lru_cache(maxsize=4096)
def compact(text: str) -> str:
    """Return a name or a value without the differences that don't matter between tools.

    That are case, blanks, hyphens and underscores: ``Opt-in Time`` and ``OPTIN_TIME`` are equal. A
    text of symbols only is returned folded.
    """
    folded = fold(text).strip()
    return _NEITHER_LETTER_NOR_DIGIT.sub("", folded) or folded


@dataclass(frozen=True)
class StatusColumn:
    """A column about the status of a subscriber."""

    names: tuple[str, ...]
    """Its names in the header of a file."""
    words: Mapping[str, str | None]
    """Its values with their meaning: ``SUBSCRIBED``, one of ``UNSUBSCRIBE_KINDS``, or None for a
    value that says nothing. A blank cell is a value, too."""
    other: str | None = None
    """The meaning of any other value, such as a reason; None refuses it. It never subscribes."""
    time: str | None = None
    """The meaning of a time; None for a column without times."""
    weak: bool = False
    """Whether the name also has other uses; the column only counts if a value of it is known."""
    compared: Mapping[str, str | None] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the comparison of values."""
        compared: dict[str, str | None] = {}
        for word, meaning in self.words.items():
            key = compact(word)
            compared[key] = worst((compared.get(key), meaning))
        object.__setattr__(self, "compared", compared)

    def knows(self, value: str) -> bool:
        """Whether the meaning of a value is known."""
        known = compact(value[:_LONGEST]) in self.compared
        return known or self.other is not None or self._is_time(value)

    def meaning(self, value: str) -> str | None:
        """Return the meaning of a value.

        :raises ValueError: for a value that isn't known.
        """
        key = compact(value[:_LONGEST])
        if key in self.compared:
            return self.compared[key]
        if self._is_time(value):
            return self.time
        if self.other is None:
            raise ValueError("status: Is not known")
        return self.other

    def _is_time(self, value: str) -> bool:
        return self.time is not None and is_time(value)

    def merged(self, further: StatusColumn) -> StatusColumn:
        """Return the column that has the values of both; in doubt the worse meaning counts."""
        words = {
            word: worst((self.compared.get(word), further.compared.get(word)))
            for word in (*self.compared, *further.compared)
        }
        return StatusColumn(
            self.names,
            words,
            worst((self.other, further.other)),
            worst((self.time, further.time)),
            weak=self.weak and further.weak,
        )


def is_time(text: str) -> bool:
    """Whether a text is a time, whatever the order of its date."""
    try:
        read_foreign_time(text, order="day" if find_date_order([text]) == "day" else "month")
    except ValueError:
        return False
    return True


def worst(meanings: Iterable[str | None]) -> str | None:
    """Return the meaning that counts if several apply; a complaint counts most."""
    return max(meanings, key=_SEVERITY.index, default=None)


def words(*names: str, blank: str | None = None, weak: bool = False, **values: str) -> StatusColumn:
    """Return a column whose values are words.

    :param blank: the meaning of a blank cell.
    :param values: words separated by commas, by their meaning.
    """
    known: dict[str, str | None] = {"": blank}
    for meaning, texts in values.items():
        known |= dict.fromkeys(texts.split(", "), meaning)
    return StatusColumn(names, known, weak=weak)


def flag(
    *names: str,
    yes: str | None = None,
    no: str | None = None,
    blank: str | None = None,
    weak: bool = False,
) -> StatusColumn:
    """Return a column whose values are yes and no, in several languages."""
    known = dict.fromkeys(YES, yes) | dict.fromkeys(NO, no)
    return StatusColumn(names, {**known, "": blank}, weak=weak)


def since(*names: str, meaning: str, blank: str | None = None, **values: str) -> StatusColumn:
    """Return a column with the time or the reason of an event; it may also be yes or no.

    :param meaning: the meaning of the event.
    :param blank: the meaning of a blank cell, and of one that says no or never.
    :param values: reasons with another meaning, separated by commas, by that meaning.
    """
    known = dict.fromkeys((*NO, *_NEVER), blank)
    for other, texts in values.items():
        known |= dict.fromkeys(texts.split(", "), other)
    return StatusColumn(names, known, other=meaning)


def merge(columns: Iterable[StatusColumn]) -> dict[str, StatusColumn]:
    """Return the columns by their compact names, merged where tools use the same name."""
    named: dict[str, list[StatusColumn]] = {}
    for column in columns:
        for name in column.names:
            named.setdefault(compact(name), []).append(column)
    return {name: reduce(StatusColumn.merged, same) for name, same in named.items()}
