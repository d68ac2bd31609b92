"""Lists filtered by the values of fields that the content type names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client, Database, Desk

KITE, BALL = {"weight": "1.50"}, {"seller": "Ben", "madeOn": "2026-01-31"}
Find = Callable[[str], list[str]]


@pytest.fixture
def four(offers: Desk) -> list[Any]:
    """Return four public offers, and create a draft and an edit that match, too."""
    public = [
        offers.create_public(**values)
        for values in (
            {
                "title": "Kite",
                "shop": "A, B",
                "size": "small",
                "price": 1,
                "lang": "de",
                "weight": "1.50",
            },
            {
                "title": "Ball",
                "shop": "a, b",
                "size": "large",
                "price": 2,
                "seller": "Ben",
                "madeOn": "2026-01-31",
            },
            {"title": "Top", "shop": "C", "size": "small", "price": 3, "used": True, "lang": "fr"},
            {"title": "Doll", "price": 3, "closesAt": "2100-01-02T12:00:00Z"},
        )
    ]
    offers.create(title="Draft", size="small", price=1)
    offers.edit(public[1]["id"], size="small")
    return public


@pytest.fixture
def found(app: Client) -> Find:
    """Return the titles in a public list, and check their number."""

    def titles(query: str) -> list[str]:
        answer = app.get(f"/api/offers?{query}")
        assert answer.headers["X-Total-Count"] == str(len(answer.json))
        return [item["title"] for item in answer.json]

    return titles


@pytest.mark.usefixtures("four")
def test_each_filter_selects_by_the_live_values_that_the_public_sees(found: Find) -> None:
    assert found("size=small") == ["Kite", "Top"]
    assert found("size=large,small") == ["Kite", "Ball", "Top"]
    assert found("price=3,1,1&search=k") == ["Kite"]
    assert found("shop=A,%20B") == ["Kite"], "a text is compared as a whole"
    assert found("used=true") == ["Top"]
    assert found("used=false&sort=-title") == ["Kite", "Doll", "Ball"]
    assert found("lang=fr,de&fields=title") == ["Kite", "Top"]
    assert found("closesAtFrom=2100-01-02&closesAtTo=2100-01-02") == ["Doll"]
    assert found("closesAtFrom=2100-01-02T12:00:01Z") == found("closesAtTo=2100-01-01") == []
    assert found("weight=1.5,7") == ["Kite"]
    assert found("madeOnFrom=2026-01-31&madeOnTo=2026-01-31") == ["Ball"]
    assert found("madeOnFrom=2026-02-01") == found("madeOnTo=2026-01-30") == []
    assert found("size=&price=&used=&shop=%20") == found("seller=Ben") == found("")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("size=small,huge", "size: Must be one of small, large"),
        ("price=1,x", "price: Must be an integer"),
        ("price=-1", "price: Must be between 0 and"),
        ("used=maybe", "used: Must be true or false"),
        ("closesAtFrom=soon", "closesAtFrom: Must be an ISO 8601 date-time"),
    ],
)
def test_a_wrong_value_is_refused(app: Client, query: str, message: str) -> None:
    assert app.get(f"/api/offers?{query}", status=400).json["error"].startswith(message)


@pytest.mark.usefixtures("four")
def test_staff_lists_have_the_same_filters_and_their_own(offers: Desk) -> None:
    def listed(**query: str) -> list[str]:
        return [item["title"] for item in offers.list(**query)]

    assert listed(size="small") == ["Kite", "Draft", "Top"]
    assert listed(size="large") == ["Ball"], "live values are compared"
    assert listed(seller="Ben", published="true", price="2") == ["Ball"]
    assert "price" in offers.list(price="x", status=400)["error"]


@pytest.mark.usefixtures("four")
def test_an_index_alone_finds_and_counts_the_items(
    app: Client, database: Database, read_statements: list[tuple[str, Any]]
) -> None:
    if database.dialect != "sqlite":
        pytest.skip("PostgreSQL chooses a plan by the number of rows")
    app.get("/api/offers?size=small&limit=5")

    with database.read() as connection:
        plans = [
            [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given)]
            for sql, given in list(read_statements)
            if "toys_offer.size IN" in sql
        ]
    by_index = "SEARCH toys_offer USING COVERING INDEX ix_toys_offer_by_size (size=?)"
    assert [by_index in plan for plan in plans] == [True, True]
    assert not any("TEMP B-TREE" in step for step in plans[0])
