"""Fields of each kind, alone and within lists, from the request to public lists and revisions."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy.orm import Session

from masthead import Instance, PublicReader
from masthead.content.contenttype import ContentType
from masthead.testing import Desk

REPAIRS = [
    {
        "at": "2026-03-01T09:30:00.000Z",
        "days": ["2026-03-01"],
        "cost": "-0.500",
        "place": {"latitude": 52.5, "longitude": -0.1},
        "took": ["PT5M"],
        "code": "Größe",
    },
    {"at": "0001-01-01T00:00:00.000Z", "cost": None, "code": "x"},
]
VALUES: dict[str, Any] = {
    "price": "12.50",
    "madeOn": "0999-12-31",
    "playtime": "PT90M",
    "factory": {"latitude": -33.8568, "longitude": 151.2153},
    "manual": {"pages": 3, "sizes": [1, 2.5, 1e-7]},
    "repairs": REPAIRS,
}
OTHERS: dict[str, Any] = {
    "price": "0.05",
    "madeOn": "2026-03-01",
    "playtime": "PT0M",
    "factory": None,
    "manual": {"pages": 1},
    "repairs": REPAIRS[:1],
}


def test_each_kind_is_shown_as_it_is_stored_and_staged(
    toys: Desk, toys_type: ContentType, session: Session
) -> None:
    toy = toys.create_public(**VALUES)
    number = toys.client.get(f"/api/staff/toys/{toy['id']}/revisions").json[0]["number"]
    staged = toys.edit(toy["id"], **OTHERS)

    assert staged == staged | OTHERS
    assert toys.edit(toy["id"], **OTHERS)["updatedAt"] == staged["updatedAt"]
    [listed] = toys.public_list()
    detail = toys.public_item(toy["slug"])
    assert listed == listed | VALUES
    assert detail == detail | VALUES

    toys.publish(toy["id"])
    assert toys.public_list()[0] == toys.public_list()[0] | OTHERS
    item = session.get_one(toys_type.model, toy["id"])
    assert (item.price, item.made_on, item.playtime) == (Decimal("0.05"), date(2026, 3, 1), 0)

    path = f"/api/staff/toys/{toy['id']}/revisions/{number}"
    assert toys.client.get(path).json["values"] == toys.client.get(path).json["values"] | VALUES
    toys.client.post_json(f"{path}/restore", {})
    assert toys.show(toy["id"]) == toys.show(toy["id"]) | VALUES


def test_readers_of_public_content_get_json_values(
    toys: Desk, toys_type: ContentType, session: Session, instance: Instance
) -> None:
    toys.create_public(**VALUES)
    reader = PublicReader(toys_type, instance.database, VALUES)

    [item] = reader.read_page(session.connection(), 9, 0)
    assert item == VALUES | {"madeOn": date(999, 12, 31)}


def test_decimals_and_days_order_public_lists(toys: Desk) -> None:
    for price, day in (("9.50", "2026-03-01"), ("10", "0999-12-31"), (None, None)):
        toys.create_public(title=f"{price}", price=price, madeOn=day)

    assert [toy["title"] for toy in toys.public_list(sort="price")] == ["9.50", "10", "None"]
    assert [toy["title"] for toy in toys.public_list(sort="-madeOn")] == ["9.50", "10", "None"]
    assert [toy["title"] for toy in toys.public_list(priceFrom="9.5", priceTo="9.50")] == ["9.50"]
    assert [toy["title"] for toy in toys.public_list(madeOnTo="0999-12-31")] == ["10"]
    assert toys.public_list(priceFrom="10.01") == []


@pytest.mark.parametrize(
    ("wrong", "path", "code"),
    [
        ({"price": "9" * 400}, "price", "not_a_number"),
        ({"price": 1e20}, "price", "out_of_range"),
        ({"madeOn": "2026-02-30"}, "madeOn", "not_a_date"),
        ({"playtime": 90}, "playtime", "wrong_form"),
        ({"factory": {"latitude": 91, "longitude": 0}}, "factory.latitude", "out_of_range"),
        ({"manual": {"pages": 0}}, "manual.pages", "invalid"),
        ({"manual": {"pages": 2**64}}, "manual", "out_of_range"),
        ({"repairs": [{"at": "x", "code": "1"}]}, "repairs.0.at", "not_a_date_time"),
        ({"repairs": [{**REPAIRS[0], "took": ["x"]}]}, "repairs.0.took.0", "wrong_form"),
    ],
)
def test_a_wrong_value_is_named(toys: Desk, wrong: Any, path: str, code: str) -> None:
    [problem] = toys.create(**wrong, status=400)["fields"]

    assert (problem["path"], problem["code"]) == (path, code)


def test_types_name_the_controls_of_each_kind(toys: Desk) -> None:
    [described] = [it for it in toys.client.get("/api/staff/types").json if it["name"] == "toys"]

    controls = {each["name"]: (each["kind"], each["widget"]) for each in described["fields"]}
    assert [controls[name] for name in VALUES] == [
        ("decimal", "decimal"),
        ("date", "date"),
        ("text", "text"),
        ("object", "map"),
        ("json", "json"),
        ("list", "list"),
    ]
