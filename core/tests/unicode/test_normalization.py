"""Normal forms: the same as Python's for usual text, and linear for any."""

from __future__ import annotations

from typing import Literal
from unicodedata import combining, normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.unicode.normalization import MOST_MARKS, SEPARATOR, normalized

Form = Literal["NFC", "NFKC", "NFKD"]
FORMS: list[Form] = ["NFC", "NFKC", "NFKD"]
EVERY = [chr(n) for n in range(0x110000) if not 0xD800 <= n <= 0xDFFF]
MARKS = [c for c in EVERY if combining(normalize("NFKD", c)[0])]
BOUNDED = settings(derandomize=True, max_examples=300, database=None)
MARKED = st.text(st.sampled_from([*MARKS, "a", "ǖ", "\u1f82", "\u0323", "각", SEPARATOR]))
LONG = st.lists(MARKED, max_size=12).map("".join)


def longest_run(text: str) -> int:
    """Return the number of marks in the longest run of the decomposed text."""
    longest = run = 0
    for character in normalize("NFKD", text):
        run = run + 1 if combining(character) else 0
        longest = max(longest, run)
    return longest


@pytest.mark.parametrize("form", FORMS)
def test_usual_text_has_the_form_that_unicode_defines(form: Form) -> None:
    for text in ("", "plain", "e\u0301", "ﬁ Ⅷ ｶﾞ", "각", "हिन्दी", "q\u0323\u0307" + "\u0301" * 20):
        assert normalized(text, form) == normalize(form, text)


def test_characters_of_alphabets_are_composed_as_unicode_defines() -> None:
    wrong = [c for c in EVERY[:0x3000] if normalized(f"a{c}") != normalize("NFC", f"a{c}")]

    assert not wrong


@pytest.mark.parametrize("form", FORMS)
@BOUNDED
@given(LONG)
def test_a_run_of_marks_is_bounded_and_stays_as_it_is(form: Form, text: str) -> None:
    once = normalized(text, form)

    assert longest_run(once) <= MOST_MARKS
    assert normalized(once, form) == once
    assert normalize(form, once) == once


@BOUNDED
@given(LONG)
def test_breaking_up_adds_separators_only(text: str) -> None:
    kept = normalized(text).replace(SEPARATOR, "")

    assert sorted(normalize("NFD", kept)) == sorted(normalize("NFD", text.replace(SEPARATOR, "")))


def test_every_mark_counts() -> None:
    for mark in MARKS:
        assert SEPARATOR in normalized("a" + mark * (MOST_MARKS + 1)), ascii(mark)
