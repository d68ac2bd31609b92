"""A content type with 200 fields works, and names that PostgreSQL would cut off are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import Index
from sqlalchemy.orm import DeclarativeBase

from masthead import (
    ContentItem,
    ContentType,
    Date,
    FieldType,
    Int,
    ListOf,
    Number,
    Plugin,
    StartError,
    Str,
    Timestamp,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.testing import Client, Desk
from masthead.testing.samples import sample_of

KINDS: list[FieldType] = [Str(), Int(), Number(), Date(), Timestamp(), ListOf(Date())]


def declare(plugin: str, table: str, columns: Mapping[str, Any]) -> Plugin:
    """Return a plugin with a content type of the same name, whose model has the given columns."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata(plugin)

    body = {"__tablename__": table, "__annotations__": {}, **columns}
    content_type = ContentType(
        name=plugin, label="Form", model=type("Form", (ContentItem, Base), body)
    )

    class Hooks:
        @hookimpl
        def masthead_content_types(self) -> list[ContentType]:
            return [content_type]

    return Plugin(name=plugin, hooks=(Hooks(),), base=Base)


FORMS = declare(
    "forms", "forms_form", {f"f{n}": field(KINDS[n % len(KINDS)]) for n in range(1, 201)}
)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, FORMS]


@pytest.mark.slow
def test_200_fields_are_stored_staged_listed_and_approved(app: Client) -> None:
    desk = Desk(app, "forms").as_role("editor")
    first, second = (
        {f"f{n}": sample_of(KINDS[n % len(KINDS)], which) for n in range(1, 201)}
        for which in (0, 1)
    )
    item = desk.create_public(**first)

    staged = desk.edit(item["id"], **second)

    assert staged == staged | second
    [listed] = desk.public_list()
    assert listed == listed | first
    desk.publish(item["id"])
    assert desk.public_item(item["slug"]) == desk.public_item(item["slug"]) | second


@pytest.mark.parametrize(
    ("table", "columns", "named"),
    [
        ("long_" + "x" * 50, {}, "index ix_long_x"),
        ("long_form", {"y" * 64: field(Str())}, "column yyyy"),
        (
            "long_form",
            {"a": field(Str()), "__table_args__": (Index("ix_long_" + "é" * 30, "a"),)},
            "index ix_long_é",
        ),
    ],
)
def test_a_name_that_is_too_long_stops_the_start(
    table: str, columns: Mapping[str, Any], named: str
) -> None:
    plugin = declare("long", table, columns)

    with pytest.raises(StartError, match=f"^long: the {named}.* and databases take 63"):
        open_instance({"masthead.plugins": "long"}, {}, {"core": core, "long": plugin})
