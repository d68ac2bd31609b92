"""The folding and the tokens of texts and searches."""

from __future__ import annotations

import sys
from random import Random
from unicodedata import normalize

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from masthead.db.slugs import MAX_LENGTH, slug_base
from masthead.search.tokens import MOST_BYTES, index_text, parse_query, without_accents


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÉCOLE", "ecole"),
        ("Straße", "strasse"),
        ("ΆΛΦΑΣ άλφας", "αλφασ αλφασ"),
        ("Ёлка й", "елка и"),
        ("IŞIK ışık", "isik isik"),
        ("İstanbul", "istanbul"),
        ("ﬁne ① Ｆｕｌｌ", "fine 1 full"),
        ("co\u00adop\u200berate", "cooperate"),
        ("שָׁלוֹם", "שלום"),
        ("مُدَوَّنَة مـــد", "مدونة مد"),
        ("أُسرة آخر", "اسرة اخر"),
        ("हिन्दी", "हिन्दी"),
        ("ที่นี่", "ที่นี่"),
        ("ガ ｶﾞ", "ガ ガ"),
        ("한국어", "한국어"),
        ("தமிழ்", "தமிழ்"),
        ("Łódź Øresund Đường", "lodz oresund duong"),
        ("Ærø ŒUVRE Þórsmörk Æðey", "aero oeuvre thorsmork aedey"),
        ("Ǿ ǽ ħ ŋ ŧ ı Azərbaycan", "o ae h ng t i azerbaycan"),
        ("٢٠٢٦ ۲۰۲۶ २०२६ ๒๐๒๖ ၂၀၂၆ 𝟚𝟘𝟚𝟞 ߂߀߂߆", " ".join(["2026"] * 7)),
        ("ǃxóõ λ ж", "ǃxoo λ ж"),
    ],
)
def test_case_accents_and_layout_are_folded_away(text: str, folded: str) -> None:
    assert without_accents(text) == folded


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert without_accents(without_accents(text)) == without_accents(text)


@given(st.text(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cs"])))
def test_a_character_that_no_mark_follows_is_folded_by_itself(text: str) -> None:
    pieces = regex.findall(r"\P{M}\p{M}*+|^\p{M}++", normalize("NFKD", text))

    assert without_accents("-".join(pieces)) == "-".join(map(without_accents, pieces))


@given(st.text(st.characters(categories=["L", "N"]), min_size=1))
def test_slugs_and_searches_spell_latin_letters_and_digits_alike(text: str) -> None:
    folded = without_accents(text)
    if folded.isascii() and folded.isalnum():
        assert slug_base(folded) == slug_base(text) == folded[:MAX_LENGTH]


def test_every_digit_is_found_as_a_digit_of_ascii() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    digits = [character for character in every if character.isdecimal()]

    assert len(digits) > 600
    for character in digits:
        assert without_accents(character) == str(int(character)) == slug_base(character)


def test_words_and_their_prefixes_are_distinct_tokens() -> None:
    tokens = index_text("One two, ONE two-three on").tokens

    assert sorted(tokens.split(" ")) == ["o", "on", "one", "t", "th", "three", "tw", "two"]


def test_characters_and_bigrams_are_tokens_in_scripts_without_spaces() -> None:
    indexed = index_text("Tokyo東京都へ3回")

    words, pairs = ["t", "to", "tokyo", "3"], ["東", "東京", "京", "京都", "都", "都へ", "へ", "回"]
    assert sorted(indexed.tokens.split(" ")) == sorted(words + pairs)
    assert indexed.ngram_text == "東京都へ"


@pytest.mark.parametrize(
    ("text", "prefixes", "tokens"),
    [
        ("t to tok toky", ("tok", "toky"), ("t", "to")),
        ("東 東京 東京都", (), ("東", "東京", "京都")),
        ("हि हिन", ("हिन",), ("हि",)),
    ],
)
def test_short_prefixes_are_looked_up_as_tokens(
    text: str, prefixes: tuple[str, ...], tokens: tuple[str, ...]
) -> None:
    query = parse_query(text)

    assert query is not None
    assert (query.prefixes, query.tokens) == (prefixes, tokens)


def test_only_the_first_200_000_characters_are_indexed() -> None:
    assert index_text("a " * 100_000 + "b").tokens == "a"


@pytest.mark.slow
def test_tokens_fit_into_one_value_of_postgresql() -> None:
    draw = Random(1)
    rare = "".join(chr(draw.randrange(0x20000, 0x2A6DF)) for _ in range(200_000))

    tokens = index_text(rare).tokens

    assert MOST_BYTES - 8 <= len(tokens.encode()) <= MOST_BYTES


@pytest.mark.parametrize("text", ["", " ", "…", "🎉", "\u0301", '"*', "❤\ufe0f"])
def test_a_query_without_letters_and_digits_is_none(text: str) -> None:
    assert parse_query(text) is None


def test_equivalent_searches_are_equal() -> None:
    assert parse_query("Über  ALLE, über") == parse_query("uber alle")


@given(st.text(max_size=200))
def test_a_text_is_found_by_a_search_for_itself(text: str) -> None:
    query, indexed = parse_query(text), index_text(text)

    if query is not None:
        tokens = indexed.tokens.split(" ")
        assert set(query.tokens) <= set(tokens)
        assert all(part in indexed.ngram_text for part in query.substrings)
        for prefix in query.prefixes:
            assert any(token.startswith(prefix) for token in tokens)
