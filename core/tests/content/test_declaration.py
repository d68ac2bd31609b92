"""A mistake in a declaration stops the start with one clear line."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Integer, Sequence, func, literal, select
from sqlalchemy.orm import DeclarativeBase, mapped_column

from masthead import (
    Choice,
    Computed,
    ContentItem,
    ContentType,
    Html,
    Int,
    ListOf,
    Nullable,
    Object,
    Period,
    StartError,
    Str,
    Timestamp,
    Url,
    field,
    plugin_metadata,
    required,
    schema,
)
from masthead.content.visibility import NOW
from masthead.schemas.field_types import FieldType, Password
from masthead.testing import Desk


def declare(*, name: str = "things", columns: dict[str, Any] | None = None, **options: Any) -> Any:
    """Declare a content type whose model has the given columns."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata("things")

    body = {"__tablename__": "things_thing", "__annotations__": {}, **(columns or {})}
    model = type("Thing", (ContentItem, Base), body)
    return ContentType(name=name, label="Thing", model=model, **options)


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("order", "-colour", "colour"),
        ("order", "published", "published"),
        ("public_orders", ("title", "secret"), "secret"),
        ("public_filters", ("title", "secret"), "secret"),
        ("public_filters", ("numbers",), "numbers"),
        ("public_filters", ("addresses",), "addresses"),
        ("staff_filters", ("letters",), "letters"),
        ("staff_filters", ("content",), "content"),
        ("expires", "number", "number"),
        ("expires", "scheduledUnpublishAt", "scheduledUnpublishAt"),
        ("staff_order", ("-createdAt", "-colour"), "colour"),
        ("date", "colour", "colour"),
        ("date", "title", "title"),
        ("visibility_fields", ("publishedAt",), "publishedAt"),
        ("upcoming", "scheduledPublishAt", "scheduledPublishAt"),
        ("related_by", ("season",), "season"),
        ("related_by", ("pages",), "pages"),
        ("related_fields", ("id", "secret"), "secret"),
        ("related_fields", ("approvedBy",), "approvedBy"),
        ("search_fields", ("titel",), "titel"),
        ("search_fields", ("title", "number"), "number"),
    ],
)
def test_an_option_that_names_an_unsuitable_field_is_refused(
    option: str, value: Any, named: str
) -> None:
    columns = {
        "number": field(Int()),
        "secret": field(Str(), public=False),
        "pages": field(ListOf(Str())),
        "numbers": field(ListOf(Int())),
        "addresses": field(ListOf(Url())),
        "letters": field(ListOf(Str(501))),
    }

    with pytest.raises(StartError, match=f"^things: {option} names {named}, but accepts only "):
        declare(columns=columns, **{option: value})


def test_only_a_time_that_lists_are_ordered_by_can_be_upcoming() -> None:
    wanted = "^things: upcoming names createdAt, but accepts only a required time that lists are"

    with pytest.raises(StartError, match=wanted):
        declare(order="title", upcoming="createdAt")


def test_a_period_starts_with_the_time_that_lists_are_ordered_by() -> None:
    with pytest.raises(StartError, match=r"^things: period start names createdAt, but accepts"):
        declare(order="title", period=Period("createdAt", "updatedAt"))
    with pytest.raises(StartError, match=r"^things: period end names title, but accepts only"):
        declare(order="createdAt", period=Period("createdAt", "title"))


def test_a_filter_with_the_name_of_a_parameter_of_all_lists_is_refused() -> None:
    for names, taken in ((("when",), "when"), (("ends", "endsTo"), "endsTo")):
        columns = {"ends": field(Timestamp()), "ends_to": field(Int()), "when": field(Str())}
        with pytest.raises(StartError, match=f"no filter can have the query parameter {taken}"):
            declare(columns=columns, public_filters=names)


@pytest.mark.parametrize(
    ("computed", "message"),
    [
        (Computed(Int()), "things: computed double needs an expression or a batch"),
        (
            Computed(Int(), lambda table: select(func.max(table.c.id)).scalar_subquery()),
            "things: the expression of double may only use columns of things_thing",
        ),
        (Computed(Int(), lambda _table: NOW), "things: the expression of double may only use"),
    ],
)
def test_a_field_that_can_not_be_computed_is_refused(computed: Computed, message: str) -> None:
    with pytest.raises(StartError, match=f"^{message}"):
        declare(computed={"double": computed})
    own = Computed(Int(), lambda table: table.c.id)
    for name in ("title", "tags", "staged"):
        with pytest.raises(StartError, match=f"^things: no field can be named {name};"):
            declare(computed={name: own})
    with pytest.raises(
        StartError, match=r"size; a computed field can't have the name of a column;"
    ):
        declare(columns={"size": mapped_column(Integer)}, computed={"size": own})


def test_options_may_name_whatever_the_items_have() -> None:
    declare(
        columns={"size": field(Choice("s", "m")), "line_2": field(Html()), "ends": field(Int())},
        order="-ends",
        staff_order=("-published", "line2"),
        date="updatedAt",
        visibility_fields=("scheduledPublishAt",),
        related_by=("size", "createdBy"),
        related_fields=("id", "slug", "line2"),
        search_fields=("line2", "size"),
    )


@pytest.mark.parametrize("name", ["", "News", "1st", "our news", "news/old", "über"])
def test_a_name_that_is_no_path_segment_is_refused(name: str) -> None:
    with pytest.raises(StartError, match="is no name for a content type"):
        declare(name=name)


@pytest.mark.parametrize(
    "name", ["position", "tags", "tag_ids", "author", "staged", "published", "listed", "etag"]
)
def test_a_field_with_a_reserved_name_is_refused(name: str) -> None:
    with pytest.raises(
        StartError, match=r"^things: no field can be named \w+; reserved names are .*, author,"
    ):
        declare(columns={name: field(Int())})


def test_a_column_with_the_name_of_one_of_the_kit_is_refused() -> None:
    with pytest.raises(StartError, match=r"^things: no field can be named position;"):
        declare(columns={"position": mapped_column(Integer)})


def test_two_columns_with_one_name_on_the_wire_are_refused() -> None:
    with pytest.raises(StartError, match=r"^Thing: line_2 and line2 are both line2 on the wire$"):
        declare(columns={"line_2": field(Str()), "line2": field(Str())})


class Colour(FieldType):
    """A field type without a column type."""


@pytest.mark.parametrize("field_type", [Colour(), Password(), Nullable(Str())])
def test_a_field_type_without_a_column_type_is_refused(field_type: FieldType) -> None:
    with pytest.raises(
        StartError, match=f"^A column can't hold the kind {type(field_type).__name__}$"
    ):
        field(field_type)


@pytest.mark.parametrize(
    "field_type",
    [ListOf(Password()), Object(schema({"key": required(Nullable(Password()))}))],
)
def test_lists_and_objects_of_passwords_are_refused(
    field_type: FieldType,
) -> None:
    with pytest.raises(StartError, match="within lists or objects"):
        field(field_type)


def test_lists_of_objects_are_kept_staged_and_shown(toys: Desk) -> None:
    parts = [{"name": "Wheel", "count": 4}, {"name": "Axle"}]
    toy = toys.create_public(parts=parts, line2="Second line")

    toys.edit(toy["id"], parts=[])

    assert toys.show(toy["id"])["parts"] == []
    [listed] = toys.public_list()
    assert (listed["parts"], listed["line2"]) == (parts, "Second line")
    toys.publish(toy["id"])
    assert toys.public_list()[0]["parts"] == []
    assert toys.create(parts=[{"name": 1}], status=400)["error"].startswith("parts: name: ")


@pytest.mark.parametrize("default", [func.now(), literal("A"), Sequence("numbers")])
def test_a_default_that_only_the_database_knows_is_refused(default: Any) -> None:
    trouble = "^Thing: the default of colour has to be a value or a function$"

    with pytest.raises(StartError, match=trouble):
        declare(columns={"colour": field(Str(), default=default)})


def test_a_title_whose_edits_need_no_approval_is_shown_as_it_is() -> None:
    content_type = declare(columns={"title": field(Str(), required=True, staged=False)})

    left_by_another_release = content_type.model(
        title="Live", staged={"title": "Old", "tagIds": []}
    )

    assert content_type.shown_title(left_by_another_release) == "Live"
