"""Fields of answers that a content type computes."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Desk

CLOSES = "2100-01-01T00:00:00.000Z"


def test_answers_show_computed_fields_in_lists_and_alone(
    app: Client, offers: Desk, memos: Desk
) -> None:
    memos.create_public(title="Ada")
    item = offers.create_public(shop="Ada", price=3, closesAt=CLOSES, seller="Ben")
    computed = {"isCheap": True, "memoCount": 1}

    [listed] = app.get("/api/offers").json
    alone = offers.public_item(item["slug"])

    assert listed == listed | computed
    assert "lastDay" not in listed
    assert alone == alone | computed | {"lastDay": CLOSES}
    assert "nameOfSeller" not in alone
    for shown in (item, offers.show(item["id"])):
        assert shown == shown | computed | {"nameOfSeller": "Ben", "lastDay": CLOSES}
    [summary] = offers.list()
    assert summary == summary | computed
    assert offers.preview(item["id"])["memoCount"] == 1
    fields = app.get("/api/offers?fields=memoCount,isCheap,lastDay&search=test").json
    assert fields == []
    assert app.get("/api/offers?fields=memoCount,lastDay").json == [
        {"memoCount": 1, "lastDay": CLOSES}
    ]
    assert app.get("/api/offers?fields=nameOfSeller", status=400)


def test_a_write_does_not_change_them(offers: Desk) -> None:
    item = offers.create(price=30, isCheap=True, memoCount=7)

    assert (item["isCheap"], item["memoCount"]) == (False, None)


def test_a_cached_answer_depends_on_the_tables_of_a_batch(
    app: Client, offers: Desk, memos: Desk
) -> None:
    slug = offers.create_public(shop="Ada")["slug"]
    assert app.get("/api/offers").json[0]["memoCount"] == 0
    assert offers.public_item(slug)["memoCount"] == 0

    memo = memos.create_public(title="Ada")

    assert app.get("/api/offers").json[0]["memoCount"] == 1
    assert offers.public_item(slug)["memoCount"] == 1
    memos.delete(memo["id"])
    assert app.get("/api/offers").json[0]["memoCount"] == 0


def test_a_batch_takes_as_many_statements_for_a_page_as_for_an_item(
    app: Client, offers: Desk, read_statements: list[tuple[str, Any]]
) -> None:
    numbers = []
    for total in (1, 5):
        for _ in range(total):
            offers.create_public(shop="Ada")
        read_statements.clear()
        app.get("/api/offers")
        numbers.append([sql for sql, _ in read_statements if "count(toys_memo" in sql])

    assert [len(each) for each in numbers] == [1, 1]
