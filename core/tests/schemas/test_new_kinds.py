"""Decimal numbers, days, places and JSON: the values that are accepted, and their bounds."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import orjson
import pytest

from masthead import (
    Bool,
    Choice,
    ClassNames,
    Date,
    Email,
    FieldType,
    GeoPoint,
    Html,
    Int,
    Json,
    LanguageTag,
    ListOf,
    Nullable,
    Number,
    Object,
    StartError,
    Str,
    Timestamp,
    Url,
    field,
    required,
    schema,
)
from masthead.testing.samples import sample_of

PAGES = Json(
    {"type": "object", "properties": {"pages": {"type": "array", "items": {"type": "integer"}}}},
    max_bytes=100,
    max_depth=2,
)


@pytest.mark.parametrize(
    ("value", "stored"),
    [("12.5", "12.50"), (" 12.50 ", "12.50"), ("12.500", "12.50"), (12, "12.00"), (0.1, "0.10"),
     (1e2, "100.00"), ("-0", "0.00"), (-0.0, "0.00"), ("0012", "12.00"), (-99.99, "-99.99"),
     ("9999999999.99", "9999999999.99")],
)  # fmt: skip
def test_a_decimal_number_is_exact(value: Any, stored: str) -> None:
    kind = Number()

    assert kind.dump(kind.parse(value)) == stored
    assert kind.restore(stored) == kind.parse(stored) == Decimal(stored)


@pytest.mark.parametrize(
    "value",
    ["", "1,5", "1e5", "NaN", "Infinity", "+1", "1.", ".5", "0x1", "1_0", "١٢", "²", "1 0", True,
     None, [], {}, "12.345", 0.001, 123456789012.123456, "1000000000000", 10**99, 1e308, 1e-300,
     "9" * 5_000],
)  # fmt: skip
def test_nothing_else_is_a_decimal_number(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^Must "):
        Number().parse(value)


def test_the_bounds_of_decimal_numbers_hold() -> None:
    price = Number(0, "19.99")

    assert price.parse("19.99") == Decimal("19.99")
    for wrong in ("-0.01", "20"):
        with pytest.raises(ValueError, match=r"^Must be between 0 and 19\.99$"):
            price.parse(wrong)
    for arguments in ((2, 1), ("0.001", 1), (0, 10**12)):
        with pytest.raises(StartError, match="takes bounds"):
            Number(*arguments)
    with pytest.raises(StartError, match="0 to 6 places"):
        Number(places=7)


def test_a_day_has_no_time() -> None:
    assert Date().parse(" 2024-02-29 ") == date(2024, 2, 29)
    assert Date().dump(date(1, 1, 1)) == "0001-01-01"
    for wrong in ("2026-02-29", "20260301", "2026-03-01T00:00:00Z", "0000-01-01", "٢٠٢٦-٠٣-٠١", 1):
        with pytest.raises(ValueError, match=r"^Must be a date"):
            Date().parse(wrong)


def test_a_place_is_within_the_bounds_of_the_earth() -> None:
    there = {"latitude": -90, "longitude": 180.000000001}

    with pytest.raises(ValueError, match=r"^longitude: Must be between -180 and 180$"):
        GeoPoint().parse(there)
    assert GeoPoint().parse({**there, "longitude": 0.123456789}) == {
        "latitude": -90.0,
        "longitude": 0.1234568,
    }
    for wrong in ("1", None, True, [1]):
        with pytest.raises(ValueError, match=r"^latitude: "):
            GeoPoint().parse({"latitude": wrong, "longitude": 1})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"pages": ["x"]}, "pages.0: 'x' is not of type 'integer'"),
        ({"pages": [], "more": 1}, "Additional properties are not allowed"),
        ([], "is not of type 'object'"),
        ({"pages": [2**63]}, "64 bits"),
        ({"a\0": 1}, "control characters"),
        ({"pages": [[[[]]]]}, "at most 2 levels"),
        ({"pages": [1] * 100}, "At most 100 bytes"),
    ],
)
def test_json_fits_its_schema_and_bounds(value: Any, message: str) -> None:
    assert PAGES.parse({"pages": [1, -(2**63)]}) == {"pages": [1, -(2**63)]}

    with pytest.raises(ValueError, match=message):
        PAGES.parse(value)


@pytest.mark.parametrize(
    "wrong",
    [{}, {"type": "string"}, {"type": "object", "properties": {"a": {"$ref": "http://a.test/x"}}},
     {"type": "object", "minProperties": "one"}, {"type": "array", "examples": [{}]}],
)  # fmt: skip
def test_a_schema_that_cannot_be_used_is_refused(wrong: Any) -> None:
    with pytest.raises(StartError, match=r"^Json\(\) takes a"):
        Json(wrong)


LISTED = [Str(), Int(), Bool(), Timestamp(), Date(), Number(places=6), Choice("a", "b"), Url(),
          Email(), Html(), LanguageTag(), GeoPoint(), ClassNames(), Object(schema({})),
          Json({"type": "array", "examples": [[1, "a"], [{"b": None}]]})]  # fmt: skip


@pytest.mark.parametrize("kind", LISTED, ids=lambda kind: type(kind).__name__)
def test_every_type_is_stored_within_lists_and_objects(kind: FieldType) -> None:
    member = schema({"one": required(kind), "all": required(ListOf(Nullable(kind)))})
    declared = field(ListOf(Object(member))).column.info["field"].kind
    sample = sample_of(kind, 0)
    sent = [{"one": sample, "all": [sample, None]}]

    stored = declared.parse(sent)

    assert orjson.loads(orjson.dumps(stored)) == stored == sent
    assert declared.dump(stored) == declared.restore(stored) == declared.parse(stored) == stored


class ArticleNumber(Str):
    """A type of a plugin."""


@pytest.mark.parametrize(
    "kind",
    [Str(5), Str(3, min_length=3), Str(7), Int(10, 20), Int(0, 0), Int(-5, -4), Choice("one"),
     Number(0, 1), Number("-0.5", "0.5"), Number(20), ListOf(Str(2), max_length=0), Html(4),
     ArticleNumber(4), Date(), GeoPoint(), ListOf(Object(schema({"at": required(Date())})))],
)  # fmt: skip
def test_samples_are_within_the_bounds(kind: FieldType) -> None:
    for which in (0, 1):
        sample = sample_of(kind, which)
        assert kind.dump(kind.parse(sample)) == sample
