"""Searches in the lists for the public and for staff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.content import reindexing
from masthead.instance import Instance
from masthead.search import finder
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead.testing.clock import Clock


def titles(items: Any) -> list[str]:
    return [item["title"] for item in items]


@pytest.mark.parametrize("words", ["grosse", "UBER wolk", "Wolken freude", "wolken -und!", "2026"])
def test_each_word_of_a_search_has_to_be_a_prefix_of_a_word(notes: Desk, words: str) -> None:
    notes.create_public(
        title="Große Freude",
        description="Im Jahr 2026",
        content="<p>Über den <b>Wol</b>ken</p><p>und</p>",
    )

    assert titles(notes.public_list(search=words)) == ["Große Freude"]


@pytest.mark.parametrize("words", ["rosse", "freude regen", "olken", "wolkenund", "strong", "026"])
def test_other_parts_of_words_are_not_found(notes: Desk, words: str) -> None:
    notes.create_public(
        title="Große Freude", description="2026", content="<p><strong>Wolken</strong></p><p>und</p>"
    )

    assert notes.public_list(search=words) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("東京都庁に行く", "京都庁"),
        ("東京都庁に行く", "庁"),
        ("東京都庁に行く", "行く 東"),
        ("スーパーマーケット", "マーケ"),
        ("การประชาสัมพันธ์", "ชาสัม"),
        ("ປະເທດລາວ", "ເທດ"),
        ("ភាសាខ្មែរ", "ខ្មែ"),
        ("မြန်မာဘာသာ", "ဘာသာ"),
    ],
)
def test_any_run_of_characters_matches_in_scripts_without_spaces(
    notes: Desk, text: str, words: str
) -> None:
    notes.create_public(title=text)

    assert titles(notes.public_list(search=words)) == [text]


@pytest.mark.parametrize("words", ["東都庁", "京都行", "都東", "庁に行く東"])
def test_a_run_of_characters_matches_only_as_a_whole(notes: Desk, words: str) -> None:
    notes.create_public(title="東京都庁に行く", content="<p>都に</p><p>東京</p>")

    assert notes.public_list(search=words) == []


@pytest.mark.parametrize(
    "words", ['"', "*", "'", "-", "🎉", "()", "^", ":*", "&", "|", "\\", "…", "\u0301", "\ufe0f"]
)
def test_a_search_without_letters_and_digits_finds_nothing(notes: Desk, words: str) -> None:
    notes.create_public(title="""All of "*'-🎉()^:&|\\…""")

    assert notes.public_list(search=words) == []
    assert notes.list(search=words) == []


@pytest.mark.parametrize(
    "words", ["AND", "near(x", 'x"y', "not", "tokens:x", "x'y", "x*", "OR x", "x:*", "!x", "x<->y"]
)
def test_words_are_never_query_syntax(notes: Desk, words: str) -> None:
    notes.create_public(title="A note near and, not or, tokens: x y")
    notes.create_public(title="Something else")

    assert titles(notes.public_list(search=words)) == ["A note near and, not or, tokens: x y"]


@pytest.mark.parametrize("letters_of", ["ab ", "東", "各位", "ﷺ", "a"])
def test_a_query_may_have_200_characters_and_no_more(app: Client, letters_of: str) -> None:
    longest = (letters_of * 200)[:200].strip()

    assert app.get("/api/notes", {"search": longest}).json == []
    app.get("/api/notes", {"search": "x" * 201}, status=400)


@pytest.mark.parametrize("path", ["/api/notes", "/api/staff/notes"])
def test_control_characters_are_refused(app: Client, path: str) -> None:
    answer = app.as_role("editor").get(f"{path}?search=a%00b", status=400)

    assert answer.json["error"].startswith("search: ")


@pytest.mark.parametrize("words", ["", "  ", "\t"])
def test_a_blank_search_is_ignored(notes: Desk, words: str) -> None:
    notes.create_public(title="One")

    assert titles(notes.public_list(search=words)) == ["One"]
    assert titles(notes.list(search=words)) == ["One"]


def test_a_word_of_any_length_is_found(notes: Desk) -> None:
    notes.create_public(title="Long", content=f"<p>{'a' * 5000} {'長' * 5000}</p>")

    assert titles(notes.public_list(search="a" * 200)) == ["Long"]
    assert titles(notes.public_list(search="長" * 200)) == ["Long"]


def test_a_text_of_a_hundred_thousand_different_bigrams_can_be_stored(notes: Desk) -> None:
    rare = "".join(chr(0x20000 + n % 40_000) + chr(0x4E00 + n % 20_011) for n in range(100_000))

    notes.create_public(title="Rare", content=f"<p>{rare}</p>")

    assert titles(notes.public_list(search=rare[:3])) == ["Rare"]


def test_pages_keep_the_order_and_the_total(
    notes: Desk, app: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        notes.create_public(title=f"Note {number}", displayOrder=-number)
    notes.create_public(title="Other")

    # Few hits and many are read by different scans.
    for most in (finder.MAX_HIT_SCAN, 3):
        monkeypatch.setattr(finder, "MAX_HIT_SCAN", most)
        for path in ("/api/notes", "/api/staff/notes"):
            query = {"search": "note", "limit": "3", "offset": "2", "x": str(most)}
            answer = app.as_role("editor").get(path, query)
            assert titles(answer.json) == ["Note 4", "Note 3", "Note 2"]
            assert answer.headers["X-Total-Count"] == "7"
            assert 'rel="next"' in answer.headers["Link"]


def test_a_search_within_a_tag(notes: Desk, app: Client, make_tag: Callable[[str], Any]) -> None:
    tag = make_tag("Green")
    notes.create_public(title="Green apple", tagIds=[tag["id"]])
    notes.create_public(title="Green pear", tagIds=[tag["id"]])
    notes.create_public(title="Red apple")
    notes.create(title="Draft of an apple", tagIds=[tag["id"]])

    answer = app.get("/api/notes", {"search": "apple", "tag": tag["slug"]})

    assert titles(answer.json) == ["Green apple"]
    assert answer.headers["X-Total-Count"] == "1"
    assert notes.public_list(search="apple", tag="nobody-has-it") == []


def test_a_search_covers_the_items_and_fields_of_its_content_type(
    notes: Desk, letters: Desk
) -> None:
    notes.create_public(title="Salt")
    letters.create_public(title="Pepper", sender="Salter & Sons", content="<p>Cumin</p>")

    assert titles(letters.public_list(search="salt")) == ["Pepper"]
    assert titles(letters.public_list(search="sons pepp")) == ["Pepper"]
    assert letters.public_list(search="cumin") == []
    assert titles(notes.public_list(search="salt")) == ["Salt"]


@pytest.mark.parametrize(
    ("title", "term"),
    [
        ("Łódź", "lodz"),
        ("Øresund", "oresund"),
        ("Đường phố", "duong"),
        ("Ærø", "aero"),
        ("Œuvre", "oeuvre"),
        ("Þórsmörk", "thorsmork"),
        ("Plan २०२६", "2026"),
    ],
)
def test_a_title_is_found_in_ascii_and_in_its_own_letters(
    notes: Desk, title: str, term: str
) -> None:
    notes.create_public(title=title)

    for words in (term, term.upper(), term[:4], title, title.lower(), title.upper()):
        assert titles(notes.public_list(search=words)) == [title]
        assert titles(notes.list(search=words)) == [title]


def test_an_item_is_found_by_the_names_of_its_tags(
    notes: Desk, make_tag: Callable[[str], Any]
) -> None:
    tags = [make_tag(name)["id"] for name in ("Ærø", "Climate change")]
    notes.create_public(title="First", tagIds=tags)
    notes.create_public(title="Second", tagIds=tags[1:])
    notes.create_public(title="Third")

    assert titles(notes.public_list(search="clim")) == ["First", "Second"]
    assert titles(notes.public_list(search="aero change")) == ["First"]
    assert titles(notes.public_list(search="second chang")) == ["Second"]
    assert notes.public_list(search="third climate") == []


def test_an_item_with_a_very_long_text_is_found_by_its_tags(
    notes: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Climate")["id"]
    notes.create_public(content="<p>" + "word " * 50_000 + "</p>", tagIds=[tag])

    assert len(notes.public_list(search="climate")) == 1


def test_an_item_is_found_by_its_present_tags_only(
    notes: Desk, make_tag: Callable[[str], Any]
) -> None:
    water, air = (make_tag(name)["id"] for name in ("Water", "Air"))
    item = notes.create_public(tagIds=[water])

    notes.as_role("admin").edit(item["id"], tagIds=[air])

    assert notes.public_list(search="water") == notes.list(search="water") == []
    assert len(notes.public_list(search="air")) == len(notes.list(search="air")) == 1


def test_staged_tags_are_found_by_staff_and_live_tags_by_the_public(
    notes: Desk, make_tag: Callable[[str], Any]
) -> None:
    water, air = (make_tag(name)["id"] for name in ("Water", "Air"))
    item = notes.create_public(tagIds=[water])
    notes.edit(item["id"], tagIds=[air])

    assert (len(notes.public_list(search="water")), notes.list(search="water")) == (1, [])
    assert (notes.public_list(search="air"), len(notes.list(search="air"))) == ([], 1)
    notes.publish(item["id"])
    assert (len(notes.public_list(search="air")), notes.public_list(search="water")) == (1, [])


@pytest.mark.parametrize("batch", [100, 1])
def test_a_renamed_tag_finds_its_items_by_its_new_name(
    notes: Desk,
    letters: Desk,
    make_tag: Callable[[str], Any],
    work: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
) -> None:
    # More items than one batch are indexed by the worker.
    monkeypatch.setattr(reindexing, "BATCH", batch)
    water, air = (make_tag(name)["id"] for name in ("Water", "Air"))
    for number in range(3):
        notes.create_public(title=f"Note {number}", tagIds=[water])
    letters.create(title="Letter", tagIds=[water])
    staged = notes.create_public(title="Staged", tagIds=[air])
    notes.edit(staged["id"], tagIds=[water])

    notes.client.put_json(f"/api/staff/tags/{water}", {"name": "Rivers"})
    if batch == 1:
        assert titles(notes.public_list(search="rivers")) == ["Note 0"]
        work()

    assert titles(notes.public_list(search="rivers")) == ["Note 0", "Note 1", "Note 2"]
    assert notes.public_list(search="water") == notes.list(search="water") == []
    assert len(notes.list(search="rivers")) == 4
    assert len(letters.list(search="rivers")) == 1


@pytest.mark.parametrize("batch", [100, 1])
def test_a_deleted_tag_finds_nothing(
    notes: Desk,
    make_tag: Callable[[str], Any],
    work: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
) -> None:
    monkeypatch.setattr(reindexing, "BATCH", batch)
    water = make_tag("Water")["id"]
    for number in range(3):
        notes.create_public(title=f"Note {number}", tagIds=[water])
    staged = notes.create_public(title="Staged")
    notes.edit(staged["id"], tagIds=[water])

    notes.client.delete(f"/api/staff/tags/{water}")
    work()

    assert notes.public_list(search="water") == notes.list(search="water") == []
    assert len(notes.list(search="note")) == 3


@pytest.mark.parametrize("max_hit_scan", [finder.MAX_HIT_SCAN, 0])
def test_the_public_finds_visible_items_only(
    clock: Clock, notes: Desk, monkeypatch: pytest.MonkeyPatch, max_hit_scan: int
) -> None:
    # Few hits and many are read by different scans.
    monkeypatch.setattr(finder, "MAX_HIT_SCAN", max_hit_scan)
    notes.create(title="Word of a draft")
    pending = notes.create(title="Word of a pending one")
    notes.request(pending["id"])
    rejected = notes.create(title="Word of a rejected one")
    notes.request(rejected["id"])
    notes.as_role("admin").reject(rejected["id"])
    down = notes.create_public(title="Word unpublished")
    notes.edit(down["id"], published=False)
    notes.create_public(title="Word of tomorrow", scheduledPublishAt="2999-01-01T00:00:00Z")
    notes.create_public(title="Word")

    answer = notes.client.get("/api/notes", {"search": "word"})

    assert titles(answer.json) == ["Word"]
    assert answer.headers["X-Total-Count"] == "1"
    assert len(notes.list(search="word")) == 6
    clock.move_to("2999-01-01T00:00:00Z")
    assert len(notes.public_list(search="word")) == 2


def test_staged_text_is_found_by_staff_and_live_text_by_the_public(notes: Desk) -> None:
    item = notes.create_public(title="Oldest word", description="Both")
    notes.edit(item["id"], title="Newest word")

    assert notes.public_list(search="newest") == []
    assert titles(notes.public_list(search="oldest")) == ["Oldest word"]
    assert titles(notes.public_list(search="both")) == ["Oldest word"]
    assert titles(notes.list(search="newest")) == ["Newest word"]
    assert notes.list(search="oldest") == []
    assert titles(notes.list(search="both")) == ["Newest word"]


def test_an_approval_lets_the_public_find_the_staged_text(notes: Desk) -> None:
    item = notes.create_public(title="Oldest word")
    notes.edit(item["id"], title="Newest word")
    notes.publish(item["id"])

    assert titles(notes.public_list(search="newest")) == ["Newest word"]
    assert notes.public_list(search="oldest") == []
    assert titles(notes.list(search="word")) == ["Newest word"]


def test_dropped_staged_text_is_not_found(notes: Desk) -> None:
    item = notes.create_public(title="Oldest word")
    notes.edit(item["id"], title="Newest word")
    notes.drop_staged(item["id"])

    assert notes.list(search="newest") == []
    assert titles(notes.list(search="oldest")) == ["Oldest word"]
    assert titles(notes.public_list(search="oldest")) == ["Oldest word"]


def test_a_rejected_staged_text_is_still_found_by_staff(notes: Desk) -> None:
    item = notes.create_public(title="Oldest word")
    notes.edit(item["id"], title="Newest word")
    notes.request(item["id"])
    notes.as_role("admin").reject(item["id"])

    assert titles(notes.list(search="newest")) == ["Newest word"]
    assert titles(notes.public_list(search="oldest")) == ["Oldest word"]


def test_an_edit_of_a_live_text_is_found_at_once(notes: Desk) -> None:
    item = notes.create_public(title="Oldest word")
    assert titles(notes.public_list(search="oldest")) == ["Oldest word"]

    notes.as_role("admin").edit(item["id"], title="Newest word")

    assert notes.public_list(search="oldest") == []
    assert titles(notes.public_list(search="newest")) == ["Newest word"]


def test_deleted_items_are_not_found(notes: Desk, instance: Instance) -> None:
    gone = [notes.create_public(title="Gone word")["id"] for _ in range(3)]
    notes.edit(gone[1], title="Staged word")

    notes.delete(gone[0])
    notes.bulk("delete", gone[1:])

    assert notes.public_list(search="word") == notes.list(search="word") == []
    with instance.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM core_search").scalar_one()
    assert rows == 0


def test_marks_of_indic_scripts_distinguish_words(notes: Desk) -> None:
    notes.create_public(title="किताब")

    assert titles(notes.public_list(search="किता")) == ["किताब"]
    assert notes.public_list(search="कताब") == []
