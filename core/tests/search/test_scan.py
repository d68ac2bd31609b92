"""A search finds the same articles as a comparison with every character of every text.

The articles are real ones, in many scripts; MASTHEAD_TEST_ARTICLES may name a file of more.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.approval.services import publish_new
from masthead.content.contenttype import ContentType
from masthead.content.public_reading import PublicReading
from masthead.content.public_search import PublicSearch
from masthead.content.services import create_items
from masthead.html import clean
from masthead.http.paging import Window
from masthead.instance import Instance
from masthead.search.tokens import without_accents
from masthead.tags.services import ensure_tags

FEW = Path(__file__).with_name("articles.jsonl")
ARTICLES = [
    json.loads(line)
    for line in Path(os.environ.get("MASTHEAD_TEST_ARTICLES", FEW)).read_bytes().splitlines()
]
EXAMPLES = int(os.environ.get("MASTHEAD_TEST_SEARCHES", "100"))
INLINE = frozenset(
    [
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "img"),
        *("ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub"),
        *("sup", "time", "tt", "u", "wbr"),
    ]
)
# Han and its extensions, kana with half widths and length marks, Thai, Lao, Khmer, Myanmar.
WITHOUT_SPACES = [
    *((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x302F), (0x3031, 0x3035), (0x3038, 0x303C)),
    *((0x3041, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
    *((0xF900, 0xFAFF), (0x20000, 0x3FFFF), (0x0E00, 0x0EFF), (0x1780, 0x17FF)),
    *((0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),
]


class Text(HTMLParser):
    """The text of HTML, extracted by another parser than the index uses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    # The arguments are those of html.parser's HTMLParser.
    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.text += "" if tag in INLINE else " "

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, ())


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Yield words (False) and runs of characters without spaces (True), one character at a time."""
    kind, piece = None, ""
    for character in f"{without_accents(text)} ":
        category = unicodedata.category(character)[0]
        now = None
        if category in "LNM":
            now = any(first <= ord(character) <= last for first, last in WITHOUT_SPACES)
            # A mark is part of a letter; alone it is ignored.
            if not now and category == "M" and (kind is not False or not piece):
                now = None
        if now != kind:
            if kind is not None:
                yield kind, piece
            kind, piece = now, ""
        piece += character


TAGS = ("Ærø & Łódź", "Đà Nẵng 2026", "水質", "Übung ١٢")
"""The names of tags; the n-th article has the n-th, beginning again at the end."""
TEXTS = [
    f"{article['title']}\n{article['description'] or ''}\n{Text(clean(article['content'])).text}"
    f"\n{TAGS[number % len(TAGS)]}"
    for number, article in enumerate(ARTICLES)
]
PIECES = [set(pieces(text)) for text in TEXTS]


def scan(words: str) -> list[int] | None:
    """Return the positions of the texts that match; None if the query has nothing to find."""
    asked = set(pieces(words))
    if not asked:
        return None
    return [
        place
        for place, held in enumerate(PIECES)
        if all(any(matches(part, text) for text in held) for part in asked)
    ]


def matches(asked: tuple[bool, str], held: tuple[bool, str]) -> bool:
    """Whether a part of a query occurs in a run, or is a prefix of a word."""
    is_run, part = asked
    text = held[1]
    return is_run == held[0] and (part in text if is_run else text.startswith(part))


def unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not 0x300 <= ord(c) <= 0x36F)


def without_harakat(text: str) -> str:
    return "".join(c for c in text if not 0x64B <= ord(c) <= 0x652)


def spelled(text: str) -> str:
    """Return a text with the usual spelling of letters that have no decomposition."""
    letters = {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ß": "ss"}
    return text.lower().translate(str.maketrans(letters))


def in_arabic_digits(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))


CHANGES: list[Callable[[str], str]] = [
    str.strip,
    str.upper,
    str.title,
    unaccented,
    without_harakat,
    spelled,
    in_arabic_digits,
]


@st.composite
def cut_words(draw: st.DrawFn) -> str:
    """Return one or two parts of a text: prefixes of words, and substrings of runs."""
    text = draw(st.sampled_from(TEXTS))
    words = text.split()
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.booleans()):
            parts.append(draw(st.sampled_from(words))[: draw(st.integers(1, 12))])
        else:
            start = draw(st.integers(0, len(text) - 1))
            parts.append(text[start : start + draw(st.integers(1, 9))])
    change = draw(st.sampled_from(CHANGES))
    return change(" ".join(parts))


@pytest.fixture
def search(instance: Instance, notes_type: ContentType) -> PublicSearch:
    """Return a public search in all articles, whose ids count from 1."""
    bodies = [{**article, "content": clean(article["content"])} for article in ARTICLES]
    fields = ("title", "description", "content")
    with instance.database.transaction() as session:
        tags = ensure_tags(session, TAGS)
        tagged = [
            {**{name: body[name] for name in fields}, "tagIds": [tags[TAGS[number % len(TAGS)]]]}
            for number, body in enumerate(bodies)
        ]
        items = create_items(session, notes_type, tagged, None)
        publish_new(session, notes_type, items, None)
    reading = PublicReading(notes_type, instance)
    return PublicSearch(notes_type, instance.database, reading)


@settings(max_examples=EXAMPLES)
@given(words=cut_words())
def test_a_search_finds_what_a_scan_finds(
    instance: Instance, search: PublicSearch, words: str
) -> None:
    found = scan(words)

    with instance.database.session(read_only=True) as session:
        page = search.page(session.connection(), Window(10_000, 0), words, None, None)

    assert [item["id"] - 1 for item in json.loads(page.items)] == (found or [])
    assert page.total == len(found or [])
