"""A mistake in a declaration stops the start with one clear line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import (
    PRIVATE,
    Bool,
    Int,
    ListOf,
    NamedItem,
    PublicRoutes,
    Resource,
    ResourceItem,
    StartError,
    Str,
    Timestamp,
    field,
    plugin_metadata,
)


def declare(
    mixin: type[Any] = ResourceItem,
    *,
    extra: str = "shelf",
    table: Mapping[str, Any] | None = None,
    **options: Any,
) -> Resource:
    """Declare a resource whose model has a mixin and four fields."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata("shed")

    body = {
        "__tablename__": "shed_tool",
        "__table_args__": {"info": table or {}},
        "__annotations__": {},
        "name": field(Str()),
        "line_2": field(Int()),
        "uses": field(ListOf(Str())),
        extra: field(Str()),
    }
    return Resource(
        name="tools", label="Tool", model=type("Tool", (mixin, Base), body), area="shed", **options
    )


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        ({"filters": ("colour",)}, "there is no field colour"),
        ({"editable": ("colour",)}, "there is no field colour"),
        ({"order": ("-colour",)}, "there is no field colour"),
        ({"search_fields": ("name", "colour")}, "there is no field colour"),
        ({"person": "colour"}, "there is no field colour"),
        ({"personal": ("colour",)}, "there is no field colour"),
        (
            {"personal": ("name",), "trash": True},
            "tools: personal fields have neither a trash nor an approval",
        ),
        ({"shows": {"line2": Int(), "colour": Str()}}, "there is no field colour"),
        (
            {"search_fields": ("name", "line2")},
            "tools: search_fields can only name fields of text, not line2",
        ),
        ({"filters": ("name", "uses")}, "tools: order and filters can't name fields of JSON: uses"),
        ({"order": ("name", "-uses")}, "tools: order and filters can't name fields of JSON: uses"),
        ({"extra": "line2"}, "Tool: line_2 and line2 are both line2 on the wire"),
    ],
)
def test_an_option_that_could_not_work_stops_the_start(
    options: dict[str, Any], trouble: str
) -> None:
    with pytest.raises(StartError, match=f"{trouble}$"):
        declare(**options)


@pytest.mark.parametrize(
    ("public", "trouble"),
    [
        (PublicRoutes(by="colour"), "public routes can only go by a unique text or the id"),
        (PublicRoutes(by="name"), "public routes can only go by a unique text or the id"),
        (PublicRoutes(by="line2"), "public routes can only go by a unique text or the id"),
        (PublicRoutes(shows=("colour",)), "there is no field colour"),
        (PublicRoutes(shows=("red",)), "public routes can only show columns, not red"),
        (PublicRoutes(operations=("list", "delete")), "the public can only list and show"),
    ],
)
def test_public_routes_that_could_not_work_stop_the_start(
    public: PublicRoutes, trouble: str
) -> None:
    shows = {"red": Bool(), "createdAt": Timestamp()}

    with pytest.raises(StartError, match=f"tools: {trouble}$"):
        declare(shows=shows, computed={"red": lambda _tool: True}, public=public)


@pytest.mark.parametrize(
    "options",
    [
        {"public_when": {"colour": True}},
        {"public_when": {"shelf": "red"}},
        {"public_when": {"revision": 2}, "public": PublicRoutes()},
        {"public_when": {"revision": 2}, "mixin": NamedItem},
    ],
)
def test_public_values_that_could_not_be_told_of_stop_the_start(options: dict[str, Any]) -> None:
    trouble = "tools: public_when needs ids that are numbers, no public routes, and columns that"

    with pytest.raises(StartError, match=trouble):
        declare(**options)
    declare(public_when={"revision": 2})


def test_a_private_table_has_no_public_routes() -> None:
    with pytest.raises(StartError, match="tools: a resource with a private table"):
        declare(table=PRIVATE, public=PublicRoutes())


def test_options_may_name_whatever_the_items_have() -> None:
    shows = {"line2": Int(), "colour": Str()}

    declare(shows=shows, computed={"colour": lambda _tool: "red"}, order=("line2", "-updatedAt"))
    declare(NamedItem, filters=("name", "line2"), editable=("line2",))


def test_items_whose_ids_are_texts_cannot_be_searched() -> None:
    with pytest.raises(
        StartError, match="tools: search_fields needs a model whose ids are numbers"
    ):
        declare(NamedItem, search_fields=("name",))
