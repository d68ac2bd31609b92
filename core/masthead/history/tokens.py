"""The difference of two texts by words, in limited time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

MOST_PAIRS = 300_000
"""The number of pairs of equal elements that a comparison looks at; its time grows with them."""
_POPULAR = 200
"""The number of elements from which difflib ignores those that make up more than one percent."""
# Scripts that are written without spaces are compared by character.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_TAG = r"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>|&#?\w{1,32};"
_WORD = rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+[^\S\n]*|\s+|."
_PLAIN = re.compile(_WORD, re.DOTALL)
_HTML = re.compile(f"{_TAG}|{_WORD}", re.DOTALL)
_BLOCK_END = re.compile(
    r"</(?:p|li|h[1-6]|tr|td|th|div|blockquote|pre|dd|dt|figcaption|section|article)>"
    r"|<(?:br|hr)\b[^>]*>|.*\n.*|[.!?\u3002\uff01\uff1f]",
    re.IGNORECASE | re.DOTALL,
)

Tokens = Sequence[str]


class TooDifferentError(Exception):
    """The comparison of two texts would take too long."""


@dataclass(frozen=True)
class Part:
    """A part of two texts: equal tokens, or those of one text in place of those of the other."""

    former: Tokens
    latter: Tokens

    @property
    def is_equal(self) -> bool:
        """Whether both texts have these tokens."""
        return self.former == self.latter


def compare_texts(former: str, latter: str, *, html: bool) -> list[Part]:
    """Return the parts of two texts, in order.

    :param html: whether they are HTML, whose tags are compared as a whole.
    :raises TooDifferentError: if the comparison would take too long.
    """
    pattern = _HTML if html else _PLAIN
    return [
        part
        for part in _Comparison().parts(pattern.findall(former), pattern.findall(latter))
        if part.former or part.latter
    ]


class _Comparison:
    """The comparison of two texts: by sentences first, and by words inside of changed ones."""

    def __init__(self) -> None:
        self._left = MOST_PAIRS

    def parts(self, former: Tokens, latter: Tokens) -> Iterator[Part]:
        """Yield the parts of two texts."""
        start, end = _common_ends(former, latter)
        middle, other = former[start : len(former) - end], latter[start : len(latter) - end]
        yield Part(former[:start], latter[:start])
        blocks, others = _blocks(middle), _blocks(other)
        for a, b, c, d in self._opcodes(blocks, others):
            if blocks[a:b] == others[c:d]:
                yield Part(_joined(blocks[a:b]), _joined(others[c:d]))
            elif b - a == d - c:
                for one, two in zip(blocks[a:b], others[c:d], strict=True):
                    yield from self._words(one, two)
            else:
                yield from self._words(_joined(blocks[a:b]), _joined(others[c:d]))
        yield Part(former[len(former) - end :], latter[len(latter) - end :])

    def _words(self, former: Tokens, latter: Tokens) -> Iterator[Part]:
        start, end = _common_ends(former, latter)
        middle, other = former[start : len(former) - end], latter[start : len(latter) - end]
        yield Part(former[:start], latter[:start])
        for a, b, c, d in self._opcodes(middle, other):
            yield Part(middle[a:b], other[c:d])
        yield Part(former[len(former) - end :], latter[len(latter) - end :])

    def _opcodes(
        self, former: Sequence[Hashable], latter: Sequence[Hashable]
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield the ranges of equal and of different elements.

        :raises TooDifferentError: if the elements are too many equal pairs.
        """
        if former and latter:
            self._left -= _pairs(former, latter)
        if self._left < 0:
            raise TooDifferentError
        matcher = SequenceMatcher(None, former, latter)
        for _, *ranges in matcher.get_opcodes():
            a, b, c, d = ranges
            yield a, b, c, d


def _common_ends(former: Tokens, latter: Tokens) -> tuple[int, int]:
    """Return the numbers of equal elements at the beginning and at the end."""
    most = min(len(former), len(latter))
    start = next((i for i in range(most) if former[i] != latter[i]), most)
    rest = most - start
    end = next((i for i in range(rest) if former[-1 - i] != latter[-1 - i]), rest)
    return start, end


def _blocks(tokens: Tokens) -> list[tuple[str, ...]]:
    """Return the sentences, lines and paragraphs of a text."""
    ends = [i + 1 for i, token in enumerate(tokens) if _BLOCK_END.fullmatch(token)]
    edges = sorted({0, *ends, len(tokens)})
    return [tuple(tokens[a:b]) for a, b in pairwise(edges)]


def _joined(blocks: Sequence[tuple[str, ...]]) -> list[str]:
    return [token for block in blocks for token in block]


def _pairs(former: Sequence[Hashable], latter: Sequence[Hashable]) -> int:
    """Return the number of pairs of equal elements that difflib looks at."""
    counts = Counter(latter)
    if len(latter) >= _POPULAR:
        most = len(latter) // 100 + 1
        counts = Counter({each: count for each, count in counts.items() if count <= most})
    return sum(count * counts[each] for each, count in Counter(former).items() if each in counts)
