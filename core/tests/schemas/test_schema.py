"""Schemas validate requests, name wrong fields, and return declared fields only."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest

from masthead.errors import Invalid, StartError
from masthead.schemas.cases import camel_case, snake_case
from masthead.schemas.field_types import (
    Anything,
    Bool,
    Choice,
    Email,
    FieldType,
    Int,
    Password,
    Str,
    Timestamp,
    Url,
)
from masthead.schemas.html_type import Html
from masthead.schemas.schema import (
    ListOf,
    Nullable,
    Object,
    dump,
    load,
    load_query,
    optional,
    partial,
    required,
    schema,
)


def test_a_field_within_an_object_is_named_with_the_object() -> None:
    person = Object(schema({"name": required(Str())}))

    with pytest.raises(Invalid, match=r"^value: name: Required$"):
        load(schema({"value": required(person)}), {"value": {"name": " "}})
    with pytest.raises(Invalid, match=r"^value: name: Required$"):
        load(schema({"value": required(ListOf(person))}), {"value": [{"name": "Ada"}, {}]})
    with pytest.raises(Invalid, match=r"^value: Must be an object$"):
        load(schema({"value": required(person)}), {"value": []})


def test_all_wrong_fields_are_named() -> None:
    node = schema(
        {
            "title": required(Str()),
            "count": optional(Int(), nullable=False),
            "fine": optional(Str(), nullable=False),
        }
    )

    with pytest.raises(Invalid, match=r"^title: Required; count: Must be an integer$"):
        load(node, {"count": "x", "fine": "y"})


def test_null_clears_an_optional_field_and_is_refused_elsewhere() -> None:
    node = schema({"note": optional(Str()), "count": optional(Int(), nullable=False)})

    assert load(node, {"note": None}) == {"note": None}
    assert load(node, {}) == {}
    with pytest.raises(Invalid, match=r"^count: Required$"):
        load(node, {"count": None})


def test_null_may_stand_for_something_empty_which_blank_text_does_not() -> None:
    node = schema({"open": optional(Bool(), False)})

    assert load(node, {"open": None}) == {"open": False}
    with pytest.raises(Invalid, match=r"^open: Must be true or false$"):
        load(node, {"open": " "})


KINDS = [
    Anything(), Bool(), Choice("a"), Email(), Html(), Int(), Object(schema({"a": required(Int())})),
    Password(), Str(), Timestamp(), Url(),
]  # fmt: skip


@pytest.mark.parametrize("inner", KINDS, ids=lambda kind: type(kind).__name__)
def test_field_types_can_be_nested_for_any_value(inner: FieldType) -> None:
    for kind in (ListOf(inner), ListOf(Nullable(inner)), Nullable(ListOf(ListOf(inner)))):
        node = schema({"value": required(kind)})
        for sent in (None, True, 1, 1.5, "", " ", "a", [], {}, {"a": 1}):
            for value in (sent, [sent], [[sent], sent, None]):
                with suppress(Invalid):
                    load(node, {"value": value})


def test_null_and_blank_have_the_same_meaning_in_an_array() -> None:
    notes, numbers = (
        schema({"value": required(ListOf(kind))}) for kind in (Nullable(Str()), Nullable(Int(), 0))
    )

    assert load(notes, {"value": ["a", None, " "]}) == {"value": ["a", None, ""]}
    assert load(numbers, {"value": [1, None]}) == {"value": [1, 0]}
    with pytest.raises(Invalid, match=r"^value: Must be an integer$"):
        load(numbers, {"value": [" "]})


@pytest.mark.parametrize(
    "inner", [Anything(), ListOf(Int()), Object(schema({})), Nullable(Object(schema({})))]
)
def test_elements_that_cannot_be_compared_cannot_be_unique(inner: FieldType) -> None:
    with pytest.raises(StartError, match="unique"):
        ListOf(inner, unique=True)


def test_blank_text_is_kept_as_such_and_clears_other_kinds() -> None:
    node = schema({"note": optional(Str()), "at": optional(Timestamp())})

    assert load(node, {"note": " ", "at": " "}) == {"note": "", "at": None}


def test_a_partial_schema_leaves_the_whole_one_as_it_is() -> None:
    whole = schema({"title": required(Str())})

    assert load(partial(whole), {}) == {}
    with pytest.raises(Invalid, match=r"^title: Required$"):
        load(whole, {})


@pytest.mark.parametrize(
    ("sent", "read"),
    [("true", True), ("false", False), ("1", True), ("0", False)],
)
def test_a_query_says_booleans_by_word_or_number(sent: str, read: bool) -> None:
    assert load_query(schema({"open": optional(Bool(), nullable=False)}), {"open": sent}) == {
        "open": read
    }


@pytest.mark.parametrize("text", ["yes", "", "2", "on", "null", "tru", "1.0"])
def test_a_query_says_booleans_in_no_other_way(text: str) -> None:
    with pytest.raises(Invalid, match=r"^open: Must be true or false$"):
        load_query(schema({"open": optional(Bool(), nullable=False)}), {"open": text})


@pytest.mark.parametrize("blank", ["", " ", "\t\r\n", "\u00a0\u3000"])
def test_blank_filters_are_as_if_absent(blank: str) -> None:
    for kind in (Bool(), Int(), Str(), Choice("a"), Timestamp(), Email(), Url()):
        query = schema({"it": optional(kind, nullable=False)})
        assert load_query(query, {"it": blank}, skip_blank=True) == {}


def test_unknown_parameters_of_a_query_are_ignored() -> None:
    assert (
        load_query(schema({"tag": optional(Str(), nullable=False)}), {"Tag": "x", "tags": "y"})
        == {}
    )


def test_objects_and_mappings_are_dumped_by_declared_fields_only() -> None:
    class Person:
        display_name = "Ada"
        password = "secret"
        seen_at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    node = schema({"displayName": required(Str()), "seenAt": required(Timestamp(), nullable=True)})
    shown = {"displayName": "Ada", "seenAt": "2026-03-01T09:30:00.000Z"}

    assert dump(node, Person()) == shown
    assert dump(node, {"displayName": "Ada", "seenAt": Person.seen_at, "password": "x"}) == shown
    assert dump(node, {"displayName": "Ada", "seenAt": None})["seenAt"] is None


@pytest.mark.parametrize(
    ("wire", "stored"),
    [("imageUrl", "image_url"), ("id", "id"), ("customPageId", "custom_page_id")],
)
def test_names_change_their_case_between_wire_and_storage(wire: str, stored: str) -> None:
    assert snake_case(wire) == stored
    assert camel_case(stored) == wire
