"""Strict JSON parsing, JSON and error responses, and the common headers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NoReturn

import orjson
from pyramid.response import Response

from masthead.errors import Invalid, Problem
from masthead.unicode.characters import has_surrogates

MAX_DEPTH = 64
MAX_DIGITS = 100

CORS_HEADERS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS"),
    (
        "Access-Control-Allow-Headers",
        "Content-Type, Authorization, If-Match, Idempotency-Key, Last-Event-ID",
    ),
]
_EXPOSED = ("Access-Control-Expose-Headers", "ETag, Link, X-Total-Count, X-Request-Id, Retry-After")
_SECURITY_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
]
_YEAR = 31_536_000


def common_headers(base_url: str) -> list[tuple[str, str]]:
    """Return the headers of every response; ``base_url`` is the address of the API."""
    headers = [*CORS_HEADERS, _EXPOSED, *_SECURITY_HEADERS]
    if base_url.startswith("https:"):
        headers.append(("Strict-Transport-Security", f"max-age={_YEAR}"))
    return headers


def dump_json(value: Any) -> bytes:
    """Return JSON as UTF-8; ``orjson.Fragment`` wraps serialised JSON."""
    return orjson.dumps(value)


def json_response(value: Any, status: int = HTTPStatus.OK) -> Response:
    """Return a response whose body is ``value`` as JSON."""
    return Response(
        body=dump_json(value), status=int(status), content_type="application/json", charset=None
    )


def error_response(
    status: int,
    message: str,
    problems: Sequence[Problem] = (),
    details: Mapping[str, Any] | None = None,
) -> Response:
    """Return a response ``{"error": message}``, with ``fields`` if there are problems.

    :param details: further members of the answer.
    """
    answer: dict[str, Any] = {"error": message, **(details or {})}
    if problems:
        answer["fields"] = [each.described() for each in problems]
    # A message with text that can't be encoded must not turn a refusal into a server error.
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    response = json_response(orjson.Fragment(text), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def parse_json(body: bytes) -> dict[str, Any]:
    """Parse the body of a request, more strictly than RFC 8259 requires.

    :returns: the JSON object.
    :raises Invalid: if the body is not UTF-8, not JSON or not an object, starts with a BOM, repeats
        a key, contains NaN, Infinity or a lone surrogate, or is nested deeper than 64 levels.
    """
    try:
        text = body.decode()
        value = _DECODER.decode(text)
    except UnicodeDecodeError:
        raise Invalid("The body is not UTF-8") from None
    except json.JSONDecodeError:
        raise Invalid("The body is not JSON") from None
    except RecursionError:
        raise Invalid(f"The body is nested deeper than {MAX_DEPTH}") from None
    if not isinstance(value, dict):
        raise Invalid("The body is not a JSON object")
    _check_depth(value)
    # In valid UTF-8, only escapes such as \ud800 can produce a surrogate.
    if "\\u" in text and _has_surrogate(value):
        raise Invalid("The body has a lone surrogate")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Invalid("The body repeats a key")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Invalid(f"The body has {name}, which is not JSON")


def _bounded_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise Invalid("The body has a number with too many digits")
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise Invalid("The body has a number that is too large")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_constant=_no_constant,
    parse_int=_bounded_int,
    parse_float=_finite_float,
)


def _check_depth(value: Any) -> None:
    level, depth = [value], 1
    while level:
        if depth > MAX_DEPTH:
            raise Invalid(f"The body is nested deeper than {MAX_DEPTH}")
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [child for each in inner for child in each if isinstance(child, dict | list)]
        depth += 1


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return has_surrogates(value)
    if isinstance(value, Mapping):
        return any(_has_surrogate(each) for pair in value.items() for each in pair)
    return isinstance(value, list) and any(_has_surrogate(each) for each in value)
