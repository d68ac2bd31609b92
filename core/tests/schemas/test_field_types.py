"""The values that field types accept, store and return."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Any

import colander
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from masthead.errors import Invalid
from masthead.schemas.dates import Date
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
from masthead.schemas.geo_points import GeoPoint
from masthead.schemas.html_type import DATA_ATTRIBUTES, EMBED_HOSTS, Html
from masthead.schemas.json_values import Json
from masthead.schemas.numbers import Number
from masthead.schemas.schema import (
    ListOf,
    Nullable,
    Object,
    bound,
    json_schema,
    load,
    optional,
    required,
    schema,
)
from masthead.settings import Settings

BOUNDED = settings(derandomize=True, max_examples=150, database=None)
SETTINGS = Settings({EMBED_HOSTS.name: (), DATA_ATTRIBUTES.name: ()})
KINDS: dict[str, FieldType] = {
    "Str": Str(),
    "Choice": Choice("draft", "pending"),
    "Int": Int(),
    "Bool": Bool(),
    "Timestamp": Timestamp(),
    "Url": Url(),
    "Email": Email(),
    "Html": Html(),
    "Password": Password(),
    "ListOf": ListOf(Int(), unique=True),
    "Object": Object(
        schema({"name": required(Str()), "at": optional(Timestamp(), nullable=False)})
    ),
    "Nullable": Nullable(Timestamp()),
    "Nullable text": Nullable(Str()),
    "Number": Number("-5.5", 10**9, places=3),
    "Date": Date(),
    "GeoPoint": GeoPoint(),
    "Json": Json({"type": "array", "items": {"type": ["number", "string"]}}),
}


def taken(kind: FieldType, value: Any) -> Any:
    """Return the stored value for a JSON value; Invalid if it is refused."""
    node = bound(schema({"value": required(kind)}), SETTINGS)
    return load(node, {"value": value})["value"]


def sent(moment: str) -> str:
    """Return a timestamp as it is sent after it was received."""
    return Timestamp().dump(taken(Timestamp(), moment))


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, and texts that resemble valid values."""
    text = st.text(st.characters(codec="utf-8")) | st.sampled_from(
        [
            "",
            " ",
            "\x1f",
            "2026-03-01T09:30:00+05:30",
            "0001-01-01",
            "/path",
            "http://a.test/ä",
            "mailto:a@b.test",
            "<p>x &amp; y<b>",
            "a@b.test",
            "1",
            "-1.250",
            "true",
        ]
    )
    leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text
    named = st.dictionaries(st.sampled_from(["name", "at", "other"]), leaf, max_size=3)
    return leaf | named | st.lists(leaf | named, max_size=3)


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        ("2026-03-01T09:30:00.000Z", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01t09:30:00z", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01T09:30Z", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01T09Z", "2026-03-01T09:00:00.000Z"),
        ("2026-03-01T09:30:00", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01 09:30:00", "2026-03-01T09:30:00.000Z"),
        ("2026-03-01", "2026-03-01T00:00:00.000Z"),
        ("20260301T093000Z", "2026-03-01T09:30:00.000Z"),
        ("2026-W09-7", "2026-03-01T00:00:00.000Z"),
        ("2026-060", "2026-03-01T00:00:00.000Z"),
        ("2024366T093000Z", "2024-12-31T09:30:00.000Z"),
        ("2026-02-28T24:00:00Z", "2026-03-01T00:00:00.000Z"),
        ("2026-365T24:00+01:00", "2026-12-31T23:00:00.000Z"),
        ("20260228T240000,000", "2026-03-01T00:00:00.000Z"),
        ("2026-03-01T09:30:00+02:00", "2026-03-01T07:30:00.000Z"),
        ("2026-03-01T09:30:00-0230", "2026-03-01T12:00:00.000Z"),
        ("2026-03-01T09:30:00+02", "2026-03-01T07:30:00.000Z"),
        ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00.000Z"),
        ("2026-03-01T09:30:00.1Z", "2026-03-01T09:30:00.100Z"),
        ("2026-03-01T09:30:00,123Z", "2026-03-01T09:30:00.123Z"),
        ("2026-03-01T09:30:00.9999999999Z", "2026-03-01T09:30:00.999Z"),
        ("2024-02-29", "2024-02-29T00:00:00.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00-14:00", "0001-01-01T14:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59+14:00", "9999-12-31T09:59:59.000Z"),
        (" 2026-03-01T09:30:00Z\n", "2026-03-01T09:30:00.000Z"),
    ],
)
def test_a_timestamp_is_stored_in_utc_to_the_millisecond(moment: str, stored: str) -> None:
    assert sent(moment) == stored
    assert sent(stored) == stored


@pytest.mark.parametrize(
    "moment",
    ["now", "2026", "2026-03", "26-03-01", "2026-3-1", "01.03.2026", "03/01/2026", "2026-02-29",
     "2026-00-01", "2026-13-01", "2026-01-32", "0000-01-01", "10000-01-01", "-0001-01-01",
     "+2026-01-01", "2026-03-01T24:00:01Z", "2026-03-01T24:01Z", "2026-03-01T25:00Z",
     "2026-03-01T09:60Z",
     "2026-03-01T09:30:60Z", "2026-03-01T9:30Z", "2026-03-01T09:30:00.Z",
     "2026-03-01T09:30:00 UTC", "2026-03-01T09:30:00+24:00", "2026-03-01T09:30:00+1",
     "2026-03-01T09:30:00ZZ", "2026-03-01T", "2026-03-01Z",
     "2026-03-01T09:30:00+02:00[Europe/Berlin]", "2026-03-01_09:30",
     "Sun, 01 Mar 2026 09:30:00 GMT", "1772357400", "T09:30", "P1D", "2026-03-01T09:30:00Z\x00",
     "２０２６-03-01", "٢٠٢٦-٠٣-٠١", "0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00+23:59",
     "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.999-14:00", "2026-W54-1", "2026-000",
     "2026-366", "2024-367", "0000-001", "9999-365T24:00Z",
     1772357400, 1772357400.5, True, [], {}],
)  # fmt: skip
def test_anything_else_is_no_timestamp(moment: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: Must be an ISO 8601 date-time"):
        taken(Timestamp(), moment)


@BOUNDED
@given(st.datetimes(timezones=st.just(UTC)))
def test_every_moment_comes_back_to_the_millisecond(moment: datetime) -> None:
    stored = taken(Timestamp(), moment.isoformat())

    assert stored == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert taken(Timestamp(), Timestamp().dump(stored)) == stored


@pytest.mark.parametrize("number", [*range(9), 11, 12, *range(14, 32)])
def test_control_characters_are_refused_in_every_text(number: int) -> None:
    for kind in (Str(), Nullable(Str()), Html(), Nullable(Html()), Url(), Nullable(Url())):
        for text in (f"a{chr(number)}b", f"a{chr(number)}", chr(number), f" {chr(number)} "):
            with pytest.raises(Invalid, match=r"^value: Must not contain control characters"):
                taken(kind, text)


def test_tab_and_line_breaks_are_text() -> None:
    assert taken(Str(), "a\tb\nc\r\nd\x7f\x85e") == "a\tb\nc\r\nd\x7f\x85e"


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ude00\ud83d"])
def test_lone_surrogates_are_refused_in_every_text(text: str) -> None:
    for kind in (Str(), Nullable(Str()), Html(), Password()):
        with pytest.raises(Invalid, match=r"^value: Must not contain lone surrogates"):
            taken(kind, text)


def test_text_is_stored_trimmed_and_in_nfc() -> None:
    assert taken(Str(), " \u00a0\tA\u030a  b\u3000\n") == "Å  b"
    assert taken(Str(), "e\u0301" * 200) == "é" * 200


def test_a_password_is_taken_as_it_is_sent() -> None:
    assert taken(Password(), " e\u0301\x00\n ") == " e\u0301\x00\n "


@pytest.mark.parametrize("text", ["", " ", "\u3000\n", None])
def test_a_required_text_is_neither_null_nor_blank(text: str | None) -> None:
    for kind in (Str(), Url(), Email()):
        with pytest.raises(Invalid, match=r"^value: Required$"):
            taken(kind, text)


def test_limits_count_characters_after_trimming() -> None:
    assert taken(Str(), "  " + "😀" * 200 + "  ") == "😀" * 200
    with pytest.raises(Invalid, match=r"^value: At most 200 characters$"):
        taken(Str(), "x" * 201)
    assert len(taken(Url(), "/" + "x" * 1999)) == 2000
    with pytest.raises(Invalid, match=r"^value: At most 2000 characters$"):
        taken(Url(), "/" + "x" * 2000)


def test_html_is_limited_in_bytes_and_depth() -> None:
    mebibyte = 1024 * 1024

    assert len(taken(Html(), "é" * (mebibyte // 2))) == mebibyte // 2
    with pytest.raises(Invalid, match=r"^value: At most 1048576 bytes$"):
        taken(Html(), "é" * (mebibyte // 2) + "x")
    assert taken(Html(), "<div>" * 200 + "x" + "</div>" * 200)
    with pytest.raises(Invalid, match=r"^value: "):
        taken(Html(), "<div>" * 201 + "x")


@pytest.mark.parametrize(
    "url",
    ["http://example.org", "HTTPS://example.org/a?b=c#d", "https://user@example.org:8080/",
     "http://[::1]/x", "https://bücher.example/ä", "mailto:a@example.org?subject=x", "/",
     "/a//b", "/a b.png", "http://a/b c?d e#f g", "/images/x.png?y#z"],
)  # fmt: skip
def test_an_address_or_a_path_is_a_url(url: str) -> None:
    assert taken(Url(), f" {url} ") == url


@pytest.mark.parametrize(
    "url",
    ["//host", "//host/path", "///x", "/\\host", "\\\\host", "\\/host", "/\t/host", "/a\\b",
     "/\u2028/host", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)",
     "data:text/html,x", "vbscript:x", "file:///etc/passwd", "ftp://host/x", "blob:http://x",
     "http:host", "http:/host", "http://", "http:///x", "http://?x", "http:// host",
     "http://\\host", "http://a b", "http://[::1", "http://a:port/", "http://a:99999/",
     "https:\\\\host", "mailto:", "mailto:?x", "mailto: a@b", "example.org", "./x", "?x", "#x",
     ":", 1, True, ["/x"]],
)  # fmt: skip
def test_nothing_else_is_a_url(url: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: Must "):
        taken(Url(), url)


def test_the_address_of_a_resource_is_no_mailto() -> None:
    for url in ("https://example.org/a.png", "HTTP://example.org/a.png", "/a.png"):
        assert taken(Url(mailto=False), url) == url
    for url in ("mailto:ada@example.org", " MAILTO:ada@example.org", "javascript:alert(1)"):
        with pytest.raises(Invalid, match=r"^value: Must be an http"):
            taken(Url(mailto=False), url)


@pytest.mark.parametrize("value", [True, False, 1.0, "1", "", None, [1], {}, 2**63, -(2**63) - 1])
def test_only_whole_numbers_of_64_bits_are_integers(value: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: (Must be|Required)"):
        taken(Int(), value)


@pytest.mark.parametrize(("value", "stored"), [(True, True), (False, False), (1, True), (0, False)])
def test_booleans_and_their_numbers_are_taken(value: Any, stored: bool) -> None:
    assert taken(Bool(), value) is stored


@pytest.mark.parametrize("value", ["true", "banana", "", None, 2, -1, 1.0, 0.0, [], {}])
def test_nothing_else_is_a_boolean(value: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: (Must be true or false|Required)$"):
        taken(Bool(), value)


@pytest.mark.parametrize("value", ["Draft", "", None, 0, True, ["draft"], {"draft": 1}])
def test_a_choice_is_one_of_its_words(value: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: (Must be one of draft, pending|Required)$"):
        taken(Choice("draft", "pending"), value)


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        (" Ada@Example.ORG ", "ada@example.org"),
        ("ada@example.test", "ada@example.test"),
        ("ada@bücher.example", "ada@bücher.example"),
    ],
)
def test_an_email_address_is_stored_lowercased(address: str, stored: str) -> None:
    assert taken(Email(), address) == stored
    assert taken(Email(), stored) == stored


@pytest.mark.parametrize(
    "address",
    ["ada", "ada@", "@x.org", "a@b@c.org", "a b@c.org", "a@b..c", "a" * 65 + "@b.org", "a@b\nc.org",
     "Ada <a@b.org>", 1, ["a@b.org"]],
)  # fmt: skip
def test_nothing_else_is_an_email_address(address: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: Must "):
        taken(Email(), address)


def test_a_unique_list_drops_repeated_elements() -> None:
    assert taken(ListOf(Int(), unique=True), [3, 1, 3, 1]) == [3, 1]
    assert taken(ListOf(Int()), [3, 1, 3]) == [3, 1, 3]


@pytest.mark.parametrize("value", ["1", {"0": 1}, 1, None, [True], [[1]], [None], ["1"], [1.0]])
def test_every_element_of_a_list_is_validated(value: Any) -> None:
    with pytest.raises(Invalid, match=r"^value: (Must be|Required)"):
        taken(ListOf(Int(), unique=True), value)


def test_a_list_has_an_end() -> None:
    with pytest.raises(Invalid, match=r"^value: At most 3 elements$"):
        taken(ListOf(Int(), max_length=3), [1, 2, 3, 4])


@BOUNDED
@given(st.sampled_from(sorted(KINDS)), json_values())
def test_no_json_value_is_a_fault_and_stored_values_are_accepted_again(
    name: str, value: Any
) -> None:
    kind = KINDS[name]
    try:
        stored = taken(kind, value)
    except Invalid as error:
        message = str(error)
    else:
        message = "value: "
        shown = kind.dump(stored)
        assert taken(kind, shown) == stored
        assert not list(Draft202012Validator(kind.schema()).iter_errors(shown))

    assert message.startswith("value: ")


@BOUNDED
@given(st.text())
def test_text_that_was_stored_stays_as_it_is(value: str) -> None:
    try:
        stored = taken(Str(), value)
    except Invalid:
        return

    assert taken(Str(), stored) == stored
    assert unicodedata.is_normalized("NFC", stored)


def test_every_kind_describes_itself_in_json_schema() -> None:
    fields: dict[str, colander.SchemaNode] = {
        name: required(kind) for name, kind in {**KINDS, "Anything": Anything()}.items()
    }

    described = json_schema(schema({**fields, "note": optional(Str(), nullable=False)}))

    Draft202012Validator.check_schema(described)
    assert described["required"] == list(fields)
    assert described["properties"]["Nullable"]["type"] == ["string", "null"]


def test_a_nullable_choice_may_be_null() -> None:
    validator = Draft202012Validator(Nullable(Choice("draft")).schema())

    assert validator.is_valid(None)
    assert validator.is_valid("draft")
    assert not validator.is_valid("other")


@pytest.mark.parametrize("shape", ["alone", "nullable", "list", "object"])
def test_html_keeps_allowed_frames_wherever_it_stands(shape: str) -> None:
    frame = '<p>x</p><iframe src="https://player.example.org/1"></iframe>'
    kinds: dict[str, tuple[FieldType, Any]] = {
        "alone": (Html(), frame),
        "nullable": (Nullable(Html()), frame),
        "list": (ListOf(Html()), [frame]),
        "object": (
            ListOf(Object(schema({"text": optional(Html(), nullable=False)}))),
            [{"text": frame}],
        ),
    }
    kind, value = kinds[shape]
    allowing = Settings({EMBED_HOSTS.name: ("player.example.org",), DATA_ATTRIBUTES.name: ()})

    kept = load(bound(schema({"value": required(kind)}), allowing), {"value": value})

    assert "https://player.example.org/1" in str(kept["value"])
    assert "iframe" not in str(taken(kind, value))
