"""The order of names."""

from __future__ import annotations

import random
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.unicode.ordering import sort_key

ORDERED = [
    "☕",
    "1 May",
    "Æsir",
    "Ahorn",
    "Apfel",
    "Äpfel",
    "Apfel pflücken",
    "(Apfel)wein",
    "Apfelwein",
    "École",
    "Eiche",
    "lodz",
    "Łódź",
    "Lok",
    "Öl",
    "Orkan",
    "Øst",
    "Sparen",
    "Spaß",
    "Spatz",
    "Zoo",
    "Ящик",
    "ब्रह्म",
    "日本",
]


def test_names_are_ordered_as_people_do() -> None:
    shuffled = random.Random(1).sample(ORDERED, len(ORDERED))

    assert sorted(shuffled, key=sort_key) == ORDERED


@settings(derandomize=True, max_examples=200, database=None)
@given(st.text(max_size=220))
def test_equivalent_names_have_one_place_and_a_key_fits_into_an_index(name: str) -> None:
    key = sort_key(name)

    assert key == sort_key(unicodedata.normalize("NFD", name))
    assert key == sort_key(name + "\u00ad")
    assert len(key.encode("utf-8", "replace")) < 2_704
