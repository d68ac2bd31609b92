"""The comparison of declared and received statuses and fields."""

from __future__ import annotations

from dataclasses import replace

from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC
from masthead.schemas.field_types import Int, Str
from masthead.schemas.schema import ListOf, Nullable, Object, named, required, schema
from masthead.testing.declared import Received, declared

TAG = schema({"name": required(Str()), "color": required(Str(), nullable=True)})
THING = schema(
    {
        "id": required(Int()),
        "tag": required(Object(TAG), nullable=True),
        "links": required(ListOf(Object(TAG))),
    }
)
LIST = Endpoint(
    name="toys.list",
    method="GET",
    path="/toys",
    view=lambda _: [],
    permission=PUBLIC,
    summary="Toys",
    returns=ListOf(Object(THING)),
)
EXPORT = Endpoint(
    name="toys.export",
    method="POST",
    path="/toys",
    view=lambda _: b"",
    permission=PUBLIC,
    summary="Export",
    returns="text/csv",
)


def test_every_status_and_every_field_at_any_depth_is_declared() -> None:
    assert declared([LIST, EXPORT]) == {
        "toys.export answers 200",
        "toys.list answers 200",
        "toys.list answers 304",
        "toys.list shows id",
        "toys.list shows tag",
        "toys.list shows tag.name",
        "toys.list shows tag.color",
        "toys.list shows links",
        "toys.list shows links.name",
        "toys.list shows links.color",
    }


def test_a_field_is_seen_when_it_holds_something() -> None:
    received = Received()

    received.note(LIST, 200, [])
    received.note(LIST, 200, [{"id": 1, "tag": None, "links": []}])
    received.note(LIST, 200, [{"id": 2, "tag": {"name": "a", "color": None}, "links": []}])

    assert declared([LIST]) - received.facts == {
        "toys.list answers 304",
        "toys.list shows tag.color",
        "toys.list shows links.name",
        "toys.list shows links.color",
    }


def test_an_error_shows_no_fields() -> None:
    received = Received()

    received.note(LIST, 304, None)
    received.note(LIST, 404, {"error": "id"})

    assert received.facts == {"toys.list answers 304", "toys.list answers 404"}


def test_an_answer_that_is_no_json_has_no_fields() -> None:
    received = Received()

    received.note(EXPORT, 200, None)

    assert received.facts == declared([EXPORT])


def test_an_object_that_may_be_null_declares_its_fields() -> None:
    one = Endpoint(
        name="toys.one",
        method="POST",
        path="/toy",
        view=lambda _: None,
        permission=PUBLIC,
        summary="",
        returns=Nullable(Object(TAG)),
    )

    assert "toys.one shows name" in declared([one])


def test_an_object_with_a_name_is_one_thing_wherever_it_is_answered() -> None:
    tag = Object(named(TAG, "ToyTag"))
    others = schema({"tag": required(tag), "others": required(ListOf(tag))})
    first = replace(LIST, returns=ListOf(tag))
    second = replace(LIST, name="toys.others", returns=Object(others))
    received = Received()

    received.note(first, 200, [{"name": "a", "color": "red"}])
    received.note(second, 200, {"tag": {"name": "a", "color": None}, "others": []})

    assert declared([first, second]) - received.facts == {
        "toys.list answers 304",
        "toys.others answers 304",
    }
