"""Names that look alike."""

from __future__ import annotations

import pytest

from masthead.unicode.lookalikes import looks_like_any


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("bоss", "boss"),
        ("BОSS", "boss"),
        ("Вoss", "Boss"),
        ("boss", "bоss"),
        ("сосо", "coco"),
        ("bo\u00adss", "boss"),
        ("bo\u200bss", "boss"),
        ("bo\u200d\u034fss", "boss"),
        ("\u202eboss", "boss"),
        ("ｂｏｓｓ", "boss"),
        ("𝐛𝐨𝐬𝐬", "boss"),
        ("Ιvan", "Ivan"),
        ("ırmak", "irmak"),
        ("аnnа@example.org", "anna@example.org"),
    ],
)
def test_names_of_other_characters_look_alike(name: str, other: str) -> None:
    assert looks_like_any(name, ["somebody", other])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ben1", "benl"),
        ("bern", "bem"),
        ("jose", "josé"),
        ("müller", "muller"),
        ("Мария", "Maria"),
        ("иван", "ivan"),
        ("bøss", "boss"),
        ("राम", "राज"),
        ("محمد", "محمود"),
        ("李明", "李朋"),
    ],
)
def test_names_that_people_tell_apart_do_not(name: str, other: str) -> None:
    assert not looks_like_any(name, [other])
    assert not looks_like_any(other, [name])


def test_without_other_names_there_is_no_look_alike() -> None:
    assert not looks_like_any("bоss", [])
