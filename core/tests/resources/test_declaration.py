"""A slip in a declaration stops the start with one clear line."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import (
    Int,
    ListOf,
    NamedItem,
    Resource,
    ResourceItem,
    StartError,
    Str,
    field,
    plugin_metadata,
)


def declare(mixin: type[Any] = ResourceItem, *, extra: str = "shelf", **options: Any) -> Resource:
    """Declare a resource whose items are made of a mixin and four fields."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata("shed")

    body = {
        "__tablename__": "shed_tool",
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


def test_options_may_name_whatever_the_items_have() -> None:
    shows = {"line2": Int(), "colour": Str()}

    declare(shows=shows, computed={"colour": lambda _tool: "red"}, order=("line2", "-updatedAt"))
    declare(NamedItem, filters=("name", "line2"), editable=("line2",))


def test_items_whose_ids_are_texts_cannot_be_searched() -> None:
    with pytest.raises(
        StartError, match="tools: search_fields needs a model whose ids are numbers"
    ):
        declare(NamedItem, search_fields=("name",))
