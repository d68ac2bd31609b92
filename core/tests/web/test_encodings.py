"""Public answers are compressed as clients ask, and each form has an entity tag of its own."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import brotli
import pytest
import zstandard
from webob import Request

from masthead.instance import Instance
from masthead.settings import Settings
from masthead.testing import Client
from masthead.web.encodings import ENCODINGS, LEVEL, Encodings

LONG, SHORT = "/openapi.json", "/api/tags"
DECODE: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    "zstd": zstandard.decompress,
}


def ask(
    app: Client, accepted: str | None, path: str = LONG, method: str = "GET", **headers: str
) -> Any:
    """Return the response as it is sent; WebTest would decode it, or fail to."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if accepted is not None:
        sent["Accept-Encoding"] = accepted
    return Request.blank(path, method=method, headers=sent).get_response(app.app)


def name_tags(app: Client) -> None:
    """Create enough tags that the list of them is compressed."""
    for number in range(20):
        body = {"name": f"A long name of a tag, number {number}"}
        app.as_role("admin").post_json("/api/staff/tags", body)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        *((None, ""), ("", ""), ("deflate", ""), ("identity", ""), ("nonsense;;", "")),
        *(("br", "br"), ("gzip", "gzip"), ("ZSTD", "zstd"), ("*", "br"), ("br;q=0, *", "zstd")),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=1.0, br;q=0.9", "gzip"),
        ("gzip;q=0.5", "gzip"),
        ("gzip;q=0.5, identity;q=0.8", ""),
        ("gzip;q=0, br;q=0, *;q=0", ""),
        ("identity;q=0", ""),
        ("gzip, identity;q=0", "gzip"),
        (f"{'x, ' * 100}gzip", "gzip"),
        (f"{'x, ' * 10_000}gzip", ""),
    ],
)
def test_the_client_chooses_the_coding(app: Client, accepted: str | None, coding: str) -> None:
    plain = ask(app, None)

    answer = ask(app, accepted)

    assert answer.headers.get("Content-Encoding", "") == coding
    assert DECODE[coding](answer.body) == plain.body
    assert answer.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert int(answer.headers["Content-Length"]) == len(answer.body)


def test_each_form_has_its_own_tag_and_any_of_them_is_known(app: Client) -> None:
    tags = {coding: ask(app, coding).headers["ETag"] for coding in DECODE}

    assert len({*tags.values()}) == 4
    for tag in tags.values():
        for coding in DECODE:
            answer = ask(app, coding, If_None_Match=f'W/{tag}, "other"')
            assert answer.status_int == 304
            assert answer.headers["ETag"] == tag
            assert answer.headers["Vary"] == "Accept-Encoding"
            assert "Content-Encoding" not in answer.headers
    assert ask(app, "br", If_None_Match="*").headers["ETag"] == tags["br"]
    assert ask(app, "br", If_None_Match='"other"').status_int == 200


def test_head_tells_of_the_form_that_get_would_send(app: Client) -> None:
    got, told = ask(app, "gzip"), ask(app, "gzip", method="HEAD")

    for name in ("Content-Encoding", "Content-Length", "ETag", "Vary"):
        assert told.headers[name] == got.headers[name]


def test_short_answers_answers_to_staff_errors_and_ranges_are_not_compressed(app: Client) -> None:
    answers = [
        ask(app, "br", SHORT),
        ask(app, "br", Range="bytes=0-9"),
        ask(app, "br", "/nowhere"),
    ]
    name_tags(app)
    answers.append(app.as_role("admin").get("/api/staff/tags", headers={"Accept-Encoding": "br"}))

    assert len(answers[-1].body) > 1_000
    assert [each.headers.get("Content-Encoding") for each in answers] == [None] * len(answers)


def test_a_change_changes_all_forms(app: Client) -> None:
    name_tags(app)
    before = ask(app, "br", SHORT)
    app.as_role("admin").post_json("/api/staff/tags", {"name": "Another"})

    after = ask(app, "br", SHORT)

    assert after.headers["ETag"] != before.headers["ETag"]
    assert b"Another" in brotli.decompress(after.body)


def test_an_immediate_answer_waits_for_no_compression(app: Client) -> None:
    immediate: Any = app.app.immediate_answer
    ask(app, None)

    assert immediate("GET", LONG, "") is not None
    assert immediate("GET", LONG, "", "br") is None
    ask(app, "br")
    assert immediate("GET", LONG, "", "br") is not None


def test_the_forms_count_in_the_size_of_the_cache(app: Client) -> None:
    cached: Any = app.app.immediate_answer.__self__
    ask(app, None)
    before = cached._answers.currsize

    forms = [len(ask(app, coding).body) for coding in ("br", "gzip", "gzip")]

    assert cached._answers.currsize - before == sum(forms[:2])


def test_a_blank_setting_switches_compression_off() -> None:
    off = Encodings(Settings({ENCODINGS.name: (), LEVEL.name: "low"}))

    assert not off.may_compress([("Content-Type", "application/json")])


@pytest.mark.parametrize("level", ["low", "normal", "high"])
def test_each_level_compresses_in_each_coding(level: str) -> None:
    encodings = Encodings(Settings({ENCODINGS.name: ("br",), LEVEL.name: level}))

    for coding, decode in list(DECODE.items())[1:]:
        assert decode(encodings.compress(coding, b"text " * 1_000)) == b"text " * 1_000


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        *(("application/json", True), ("application/rss+xml; charset=UTF-8", True)),
        *(("text/calendar", True), ("image/png", False), ("application/zip", False)),
    ],
)
def test_texts_are_compressed_and_images_are_not(
    instance: Instance, kind: str, expected: bool
) -> None:
    assert Encodings(instance.settings).may_compress([("Content-Type", kind)]) == expected


@pytest.mark.parametrize("text", ["deflate", "br, gzip", "br br"])
def test_an_unknown_coding_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="separated by blanks"):
        ENCODINGS.parse(text)
