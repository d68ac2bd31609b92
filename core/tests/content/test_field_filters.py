"""Lists filtered by the values of fields that the content type names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert

from masthead.content.contenttype import ContentType
from masthead.testing import Client, Database, Desk

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
                "stuffs": ["wood", "tin"],
                "words": ["a, b", "\"c'"],
            },
            {
                "title": "Ball",
                "shop": "a, b",
                "size": "large",
                "price": 2,
                "seller": "Ben",
                "madeOn": "2026-01-31",
                "stuffs": ["glass"],
                "words": ["a", "b", "Größe"],
            },
            {
                "title": "Top",
                "shop": "C",
                "stuffs": [],
                "size": "small",
                "price": 3,
                "used": True,
                "lang": "fr",
            },
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
    assert found("weightFrom=1.5&weightTo=1.50") == ["Kite"]
    assert found("madeOnFrom=2026-01-31&madeOnTo=2026-01-31") == ["Ball"]
    assert found("madeOnFrom=2026-02-01") == found("madeOnTo=2026-01-30") == []
    assert found("priceFrom=2") == ["Ball", "Top", "Doll"]
    assert found("priceFrom=1&priceTo=2&price=2,3") == found("priceFrom=2&priceTo=2") == ["Ball"]
    assert found("priceTo=0") == found("priceFrom=3&priceTo=2") == []
    assert found("stuffs=wood") == found("stuffs=tin,wood") == ["Kite"]
    assert found("stuffs=glass,tin&sort=title&fields=title") == ["Ball", "Kite"]
    assert found("stuffs=wood&price=2") == []
    assert (
        found("stuffs=") == found("size=&price=&used=&shop=%20") == found("seller=Ben") == found("")
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("size=small,huge", "size: Must be one of small, large"),
        ("price=1,x", "price: Must be an integer"),
        ("price=-1", "price: Must be between 0 and"),
        ("priceFrom=1.5", "priceFrom: Must be an integer"),
        ("stuffs=wood,paper", "stuffs: Must be one of wood, tin, glass"),
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
    assert listed(words="a, b") == listed(words="\"c'") == ["Kite"], "a text is compared as a whole"
    assert listed(words="Größe", stuffs="wood,glass", priceFrom="2") == ["Ball"]
    assert listed(words="gröss") == []


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("query", "column", "bounds", "is_in_order"),
    [
        ("size=small", "size", "size=?", True),
        ("priceFrom=1&priceTo=2", "price", "price>? AND price<?", False),
        ("weightFrom=1&weightTo=2", "weight", "weight>? AND weight<?", False),
    ],
)
def test_an_index_alone_finds_and_counts_the_items(
    app: Client,
    database: Database,
    read_statements: list[tuple[str, Any]],
    query: str,
    column: str,
    bounds: str,
    is_in_order: bool,
) -> None:
    if database.dialect != "sqlite":
        pytest.skip("PostgreSQL chooses a plan by the number of rows")
    app.get(f"/api/offers?{query}&limit=5")

    with database.read() as connection:
        plans = [
            [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given)]
            for sql, given in list(read_statements)
            if f"toys_offer.{column} IN" in sql or f"toys_offer.{column} >=" in sql
        ]
    by_index = f"SEARCH toys_offer USING COVERING INDEX ix_toys_offer_by_{column} ({bounds})"
    assert [by_index in plan for plan in plans] == [True, True]
    if is_in_order:
        assert not any("TEMP B-TREE" in step for step in plans[0])


def test_an_index_finds_the_elements_of_lists_on_postgresql(
    app: Client,
    offers_type: ContentType,
    database: Database,
    read_statements: list[tuple[str, Any]],
) -> None:
    if database.dialect != "postgresql":
        pytest.skip("SQLite has no index of elements")
    can = {"title": "Can", "published": True, "position": 0, "stuffs": ["tin"]}
    with database.transaction() as session:
        session.execute(insert(offers_type.model), [can] * 2_000)
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.exec_driver_sql("ANALYZE toys_offer")
    assert app.get("/api/offers?stuffs=glass").json == []

    with database.read() as connection:
        plans = [
            "".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {sql}", given))
            for sql, given in [each for each in read_statements if "?|" in each[0]]
        ]
    assert ["Bitmap Index Scan on ix_toys_offer_by_stuffs" in plan for plan in plans] == [True] * 2
