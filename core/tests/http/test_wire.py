"""Requests are strict JSON, and all responses are JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
import webtest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyramid.request import Request

from masthead.core_plugin import plugin as core
from masthead.errors import Invalid, TooMany
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.wire import dump_json, error_response, parse_json
from masthead.plugins import Plugin
from masthead.schemas.field_types import Anything, Str
from masthead.schemas.schema import optional, required, schema
from masthead.testing.client import Client

BOUNDED = settings(derandomize=True, max_examples=60, database=None)
DEEPEST = b'{"a":' * 63 + b"{}" + b"}" * 63
BAD_BODIES = {
    "empty": b"",
    "blank": b" \n",
    "cut": b'{"value": ',
    "more than one value": b'{"value": "x"} {}',
    "a comment": b'{"value": "x"} // x',
    "a trailing comma": b'{"value": "x",}',
    "single quotes": b"{'value': 'x'}",
    "a form": b"value=x",
    "a BOM": b'\xef\xbb\xbf{"value": "x"}',
    "UTF-16": '{"value": "x"}'.encode("utf-16"),
    "Latin-1": '{"value": "ä"}'.encode("latin-1"),
    "an overlong encoding": b'{"value": "\xc0\xaf"}',
    "a raw surrogate": b'{"value": "\xed\xa0\x80"}',
    "an escaped surrogate": rb'{"value": "\ud800"}',
    "an escaped surrogate as a key": rb'{"\udfff": 1}',
    "an escaped surrogate within": rb'{"other": [{"value": "x\udc00"}]}',
    "surrogates the wrong way round": rb'{"value": "\udc00\ud800"}',
    "a raw control character": b'{"value": "a\nb"}',
    "a repeated key": b'{"value": "x", "value": "x"}',
    "a repeated key within": b'{"other": [{"a": 1, "a": 1}]}',
    "a key repeated by an escape": rb'{"value": "x", "v\u0061lue": "y"}',
    "NaN": b'{"value": NaN}',
    "Infinity": b'{"value": Infinity}',
    "-Infinity": b'{"other": -Infinity}',
    "a number past every float": b'{"value": 1e999}',
    "5,000 digits": b'{"value": ' + b"9" * 5000 + b"}",
    "-5,000 digits": b'{"other": -' + b"9" * 5000 + b"}",
    "a leading zero": b'{"value": 01}',
    "hexadecimal": b'{"value": 0x1}',
    "65 levels": b'{"a":' * 64 + b"{}" + b"}" * 64,
    "65 levels of arrays": b'{"a":' + b"[" * 64 + b"]" * 64 + b"}",
    "100,000 levels": b'{"a":' + b"[" * 100_000,
    "an array": b'[{"value": "x"}]',
    "a string": b'"value"',
    "a number": b"1",
    "null": b"null",
    "true": b"true",
}


def echo(request: Request) -> Any:
    return {"value": request.data.get("value")}


def fail(_request: Request) -> Any:
    raise RuntimeError("SELECT secret FROM /etc/passwd")


def be_busy(_request: Request) -> Any:
    raise TooMany("Slowly, please", retry_after=7)


class Hooks:
    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        body = schema(
            {
                "value": optional(Anything(), nullable=False),
                "title": optional(Str(), nullable=False),
            }
        )
        answer = schema({"value": required(Value())})
        return [
            Endpoint(
                name="echo.say",
                method="POST",
                path="/api/echo",
                view=echo,
                permission=PUBLIC,
                summary="Echo",
                returns=answer,
                body=body,
            ),
            Endpoint(
                name="echo.fail",
                method="GET",
                path="/api/fail",
                view=fail,
                permission=PUBLIC,
                summary="Fail",
                returns=answer,
            ),
            Endpoint(
                name="echo.busy",
                method="GET",
                path="/api/busy",
                view=be_busy,
                permission=PUBLIC,
                summary="Refuse",
                returns=answer,
                refuses=frozenset({429}),
            ),
        ]


class Value(Anything):
    """Any JSON value."""

    def schema(self) -> dict[str, Any]:
        return {}


ECHO = Plugin(name="echo", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, ECHO]


def values() -> st.SearchStrategy[Any]:
    """JSON values as a client may send them."""
    numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    leaf = st.none() | st.booleans() | numbers | st.text(st.characters(codec="utf-8"), max_size=5)
    names = st.text("aé\n", max_size=2)
    many = st.lists(leaf, max_size=3) | st.dictionaries(names, leaf, max_size=3)
    return leaf | many | st.lists(many, max_size=2)


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
def test_a_body_that_is_no_strict_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid, match=r"^The body "):
        parse_json(body)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b' \r\n\t{"value" : "x"}\n',
        DEEPEST,
        b'{"a":' + b"[" * 63 + b"]" * 63 + b"}",
        '{"value": "ä\u2028😀"}'.encode(),
        rb'{"value": "\ud83d\ude00 \\ud800"}',
        b'{"value": 1e308, "other": -0.0, "third": 123456789012345678901234567890}',
    ],
)
def test_a_strict_json_object_is_read(body: bytes) -> None:
    assert parse_json(body) == json.loads(body)


@BOUNDED
@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), values(), max_size=3))
def test_json_written_by_python_is_parsed(value: dict[str, Any]) -> None:
    assert parse_json(json.dumps(value).encode()) == value


@BOUNDED
@given(st.binary(max_size=200) | st.text(alphabet='{}[]":,\\ud80eE+-.019 nult', max_size=60))
def test_no_bytes_are_a_fault(body: bytes | str) -> None:
    try:
        value = parse_json(body if isinstance(body, bytes) else body.encode())
    except Invalid:
        return
    assert isinstance(value, dict)


def test_json_goes_out_as_utf_8_without_blanks() -> None:
    assert dump_json({"a": ["ä", None, True]}) == '{"a":["ä",null,true]}'.encode()


def test_a_refusal_may_quote_text_that_utf_8_cannot_encode() -> None:
    assert error_response(400, "The first row is: ä\ud800").json == {
        "error": "The first row is: ä?"
    }


def test_every_bad_body_is_a_400_that_names_the_body(app: Client) -> None:
    for name, body in BAD_BODIES.items():
        answer = app.post("/api/echo", body, status=400)

        assert answer.json["error"].startswith("The body "), name


def test_the_content_type_of_a_request_says_nothing(app: Client) -> None:
    for content_type in (
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "nonsense; ;;=",
        "text/xml; charset=nothing-known",
    ):
        request = webtest.TestRequest.blank("/api/echo", content_type=content_type, method="POST")
        request.body = '{"value": "ä"}'.encode()
        answer = app.do_request(request)

        assert answer.json == {"value": "ä"}


def test_unknown_fields_are_ignored(app: Client) -> None:
    answer = app.post_json("/api/echo", {"value": 1, "valu": [2], "": {"id": 3}, "__class__": 4})

    assert answer.json == {"value": 1}


def test_a_body_of_the_most_bytes_is_taken_and_one_more_is_not(app: Client) -> None:
    most = 2 * 1024 * 1024

    answer = app.post("/api/echo", b'{"value": 1}'.ljust(most))
    assert answer.json == {"value": 1}

    answer = app.post("/api/echo", b'{"value": 1}'.ljust(most + 1), status=400)
    assert answer.json == {"error": f"The body has more than {most} bytes"}


def test_a_route_without_a_body_reads_none(app: Client) -> None:
    answer = app.post("/api/auth/logout", b"\xff{not json".ljust(3 * 1024 * 1024))

    assert answer.json == {"success": True}


def test_a_bug_is_a_500_that_shows_an_id_instead_of_insides(
    app: Client, caplog: pytest.LogCaptureFixture
) -> None:
    answer = app.get("/api/fail", status=500)

    request_id = answer.headers["X-Request-Id"]
    assert answer.json == {"error": f"Internal server error ({request_id})"}
    assert f"Request {request_id} failed" in caplog.text
    assert "SELECT secret" in caplog.text


def test_a_refusal_may_say_when_to_ask_again(app: Client) -> None:
    answer = app.get("/api/busy", status=429)

    assert answer.headers["Retry-After"] == "7"
    assert answer.json == {"error": "Slowly, please"}
