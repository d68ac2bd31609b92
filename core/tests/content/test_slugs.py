"""Slugs: their characters, their uniqueness, and the time when an item gets one."""

from __future__ import annotations

import re

import pytest

from masthead.content.contenttype import ContentType
from masthead.db.slugs import slug_base
from masthead.testing import Clock, Database, Desk

WELL_FORMED = r"[a-z0-9]+(-[a-z0-9]+)*"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Clean Water, Now!", "clean-water-now"),
        ("Straße & Größe", "strasse-grosse"),
        ("Élan vital — œuvre", "elan-vital-oeuvre"),
        ("Новости города", "novosti-goroda"),
        ("😀", "untitled"),
        ("---", "untitled"),
        ("🎉 Party", "party"),
        ("5 < 6", "5-6"),
        ("Łódź Øresund Đường Ærø Þórsmörk", "lodz-oresund-duong-aero-thorsmork"),
        ("Azərbaycan ٢٠٢٦ ߂", "azerbaycan-2026-2"),
    ],
)
def test_a_slug_is_the_title_in_ascii(title: str, slug: str) -> None:
    assert slug_base(title) == slug


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("川", "kawa"),
        ("東京タワー", "tokyo-tawa"),
        ("川を守ってください", "kawa-wo-mamottekudasai"),
        ("スウェーデンのパーティー", "suweden-no-pati"),
        ("Masthead 川の会、２０２７年", "masthead-kawa-no-kai-2027-nen"),
        ("Über 🎉", "uber"),
        ("漢" * 1_000, "-".join(["kan"] * 20)),
    ],
)
def test_a_japanese_title_is_spelled_as_it_is_read(title: str, slug: str) -> None:
    assert slug_base(title, "ja-JP") == slug


def test_the_language_of_an_item_decides_on_its_slug(memos: Desk) -> None:
    assert memos.create(title="川", lang="ja")["slug"] == "kawa"
    assert memos.create(title="川", lang="zh")["slug"] == "chuan"
    assert memos.create(title="川")["slug"] == "chuan-2"


def test_other_scripts_are_transliterated(memos: Desk) -> None:
    for title in ("أخبار المدينة", "日本語のニュース", "नमस्ते दुनिया", "ข่าวด่วน", "서울 소식"):
        item = memos.create_public(title=title)

        assert re.fullmatch(WELL_FORMED, item["slug"])
        assert item["slug"] != "untitled"
        assert memos.public_item(item["slug"])["title"] == title


def test_a_slug_has_at_most_eighty_characters_with_its_number(memos: Desk) -> None:
    for title in (
        "x" * 200,
        "words " * 33,
        "ab-" * 66,
        "水" * 200,
        "one " + "y" * 100 + " two three",
        "&#99999999999999; &#xD800; &amp;",
    ):
        slugs = [memos.create(title=title)["slug"] for _ in range(11)]

        assert len(set(slugs)) == 11
        assert all(re.fullmatch(WELL_FORMED, slug) for slug in slugs)
        assert max(map(len, slugs)) <= 80
        assert [slug.rsplit("-", 1)[1] for slug in slugs[1:]] == [str(n) for n in range(2, 12)]


def test_a_long_title_is_cut_off_after_a_word() -> None:
    long = "a-most-remarkable-and-unreasonably-long-sequence-of-words-that-will-not-fit"

    assert slug_base(f"{long} extraordinarily so it is") == long


def test_equal_titles_get_numbers(memos: Desk) -> None:
    slugs = [memos.create(title="Same again")["slug"] for _ in range(12)]

    assert slugs == ["same-again", *(f"same-again-{n}" for n in range(2, 13))]


def test_a_title_that_ends_with_a_number_takes_no_other_slug(memos: Desk) -> None:
    titles = ["Race 2", "Race", "Race", "Race 2", "Race"]

    slugs = [memos.create(title=title)["slug"] for title in titles]

    assert slugs == ["race-2", "race", "race-3", "race-2-2", "race-4"]


def test_slugs_are_unique_per_type_only(memos: Desk, toys: Desk) -> None:
    assert memos.create(title="Shared")["slug"] == "shared"
    assert toys.create_public(title="Shared")["slug"] == "shared"


def test_a_slug_follows_the_title_until_the_item_is_public(clock: Clock, memos: Desk) -> None:
    item = memos.create(title="Working title")
    assert memos.edit(item["id"], title="Better title")["slug"] == "better-title"
    memos.request(item["id"])
    assert memos.edit(item["id"], title="Pending title")["slug"] == "pending-title"
    memos.edit(item["id"], scheduledPublishAt="2026-03-02T00:00:00.000Z")
    memos.publish(item["id"])

    memos.edit(item["id"], title="Scheduled title")
    assert memos.publish(item["id"])["slug"] == "scheduled-title"
    chief = memos.as_role("admin")
    assert chief.edit(item["id"], title="Final title")["slug"] == "final-title"

    clock.move_to("2026-03-02T00:00:00Z")
    assert memos.public_item("final-title")["title"] == "Final title"
    for slug in ("working-title", "better-title", "pending-title", "scheduled-title"):
        memos.public_item(slug, status=404)


def test_a_slug_stays_once_the_item_was_public(memos: Desk) -> None:
    item = memos.create_public(title="First name")
    chief = memos.as_role("admin")
    assert chief.edit(item["id"], title="Second name")["slug"] == "first-name"
    memos.edit(item["id"], title="Third name")
    assert memos.publish(item["id"])["slug"] == "first-name"

    memos.edit(item["id"], published=False)

    assert memos.edit(item["id"], title="Fourth name")["slug"] == "first-name"
    assert memos.publish(item["id"])["slug"] == "first-name"


def test_a_slug_that_follows_the_title_is_unique(memos: Desk) -> None:
    memos.create_public(title="Garden")
    items = [memos.create(title=f"Working title {number}") for number in range(3)]

    slugs = [memos.edit(item["id"], title="Garden")["slug"] for item in items]

    assert slugs == ["garden-2", "garden-3", "garden-4"]
    assert memos.edit(items[1]["id"], title="GARDEN")["slug"] == "garden-3"
    assert memos.edit(items[0]["id"], title="y" * 200)["slug"] == "y" * 80
    assert memos.edit(items[1]["id"], title="y" * 199)["slug"] == "y" * 78 + "-2"
    assert memos.edit(items[1]["id"], title="Yard")["slug"] == "yard"


def test_a_slug_that_was_chosen_does_not_follow_the_title(
    memos: Desk, memos_type: ContentType, database: Database
) -> None:
    item = memos.create(title="Working title")
    with database.transaction() as session:
        session.get_one(memos_type.model, item["id"]).slug = "chosen"

    assert memos.edit(item["id"], title="Final title")["slug"] == "chosen"


def test_a_content_type_may_assign_slugs_at_the_first_approval(toys: Desk) -> None:
    item = toys.create(title="Working title")
    assert item["slug"] is None
    toys.edit(item["id"], title="Final title")
    assert toys.show(item["id"])["slug"] is None

    assert toys.publish(item["id"])["slug"] == "final-title"
    toys.edit(item["id"], title="Afterthought")
    assert toys.publish(item["id"])["slug"] == "final-title"


def test_an_unknown_slug_is_not_found(memos: Desk) -> None:
    memos.create_public()

    for slug in ("nothing", "%00", "a%00b", "%EF%BF%BF", "x" * 3000, "%2E%2E", "%27"):
        memos.public_item(slug, status=404)
