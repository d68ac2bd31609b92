"""Images are served as immutable, in ranges too, and never as another type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from masthead import Instance
from masthead.http.environ import IMMEDIATE_ANSWER
from masthead.testing import Client

Picture = Callable[..., bytes]


@pytest.fixture
def image(picture: Picture, upload: Any) -> Any:
    return upload(picture("PNG", 60, 40))


def test_an_answer_may_be_kept_for_a_year_and_runs_nothing(app: Client, image: Any) -> None:
    answer = app.get(image["url"])

    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert answer.headers["Content-Security-Policy"] == policy
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Content-Disposition" not in answer.headers


def test_a_client_that_has_the_image_gets_a_304(app: Client, image: Any) -> None:
    etag = app.get(image["url"]).headers["ETag"]

    assert etag == f'"{image["key"]}"'
    for asked in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = app.get(image["url"], headers={"If-None-Match": asked}, status=304)
        assert answer.headers["ETag"] == etag
        assert "Content-Length" not in answer.headers
    app.get(image["url"], headers={"If-None-Match": '"other"'}, status=200)


def test_head_has_the_headers_of_get(app: Client, image: Any) -> None:
    whole = app.get(image["url"])

    head = app.head(image["url"])

    assert head.headers["Content-Length"] == str(len(whole.body))
    assert head.headers["ETag"] == whole.headers["ETag"]
    app.head(f"/api/images/images/{'1' * 13}-{'0' * 32}.png", status=404)


def test_a_range_of_its_bytes_can_be_requested(app: Client, image: Any) -> None:
    whole = app.get(image["url"]).body
    size = len(whole)
    spans = {
        "bytes=0-0": (0, 1),
        "bytes=10-19": (10, 20),
        "bytes=100-": (100, size),
        "bytes=-7": (size - 7, size),
        f"bytes=5-{size * 9}": (5, size),
    }
    for asked, (start, end) in spans.items():
        answer = app.get(image["url"], headers={"Range": asked}, status=206)
        assert answer.body == whole[start:end]
        assert answer.headers["Content-Range"] == f"bytes {start}-{end - 1}/{size}"
        assert answer.headers["Content-Length"] == str(end - start)


HUGE = ["9" * 20, "9" * 26, "1" + "0" * 400, "9" * 5_000, "0" * 5_000 + "9" * 20]


@pytest.mark.parametrize("huge", HUGE, ids=len)
def test_a_number_beyond_all_sizes_counts_as_the_end(app: Client, image: Any, huge: str) -> None:
    whole = app.get(image["url"]).body
    expected = {f"bytes=0-{huge}": whole, f"bytes=5-{huge}": whole[5:], f"bytes=-{huge}": whole}

    for asked, body in expected.items():
        assert app.get(image["url"], headers={"Range": asked}).body == body
    app.get(image["url"], headers={"Range": f"bytes={huge}-"}, status=416)
    app.get(image["url"], headers={"Range": f"bytes={huge}-{huge}"}, status=416)
    assert app.get(image["url"], headers={"Range": f"bytes={huge}-0"}, status=200).body == whole


def test_zeros_at_the_start_change_no_number(app: Client, image: Any) -> None:
    asked = {"Range": f"bytes={'0' * 5_000}5-{'0' * 5_000}9"}

    assert app.get(image["url"], headers=asked).headers["Content-Range"].startswith("bytes 5-9/")


def test_the_last_no_bytes_are_refused(app: Client, image: Any) -> None:
    app.get(image["url"], headers={"Range": "bytes=-0"}, status=416)


IGNORED = [
    "bytes=0-1,5-6",
    "bytes=9-3",
    "pages=1-2",
    "bytes",
    "bytes=x-y",
    "bytes=-",
    "bytes=--1",
    "bytes=+1-2",
    "bytes=1e1-",
    "bytes=0x1-2",
    "bytes=1.0-2",
    "bytes=1_0-20",
    "bytes= 1 - 2",
    "bytes=\xb2-",
    "bytes=" + " " * 60_000 + "x",
    "",
    " ",
]


@pytest.mark.parametrize("asked", IGNORED, ids=lambda asked: asked[:20])
def test_anything_but_a_single_range_is_ignored(app: Client, image: Any, asked: str) -> None:
    assert app.get(image["url"], headers={"Range": asked}).status_int == 200


def test_a_range_past_the_end_is_refused(app: Client, image: Any) -> None:
    size = len(app.get(image["url"]).body)

    answer = app.get(image["url"], headers={"Range": f"bytes={size}-"}, status=416)

    assert answer.headers["Content-Range"] == f"bytes */{size}"


def test_a_range_of_another_version_is_ignored(app: Client, image: Any) -> None:
    etag = app.get(image["url"]).headers["ETag"]

    def ask(version: str, status: int) -> None:
        app.get(image["url"], headers={"Range": "bytes=0-9", "If-Range": version}, status=status)

    ask(etag, 206)
    ask('"other"', 200)
    ask("Sun, 01 Mar 2026 09:30:00 GMT", 200)


KEY = "images/1772357400123-" + "0" * 32


@pytest.mark.parametrize(
    "path",
    [
        f"{KEY}.png",
        f"{KEY}.svg",
        f"{KEY}.png.html",
        f"{KEY}.PNG",
        f"{KEY}",
        "images/a.png",
        "renditions/images",
        "../../masthead.db",
        "images/..%2f..%2fmasthead.db",
        "images/..%5c..%5cmasthead.db",
        "%2e%2e/masthead.db",
        "images/%252e%252e",
        "images//etc/passwd",
        "/etc/passwd",
        "images/%e2%80%a5/masthead.db",
        "images/a%00.png",
        "images/a%0a.png",
        "images/a%ff.png",
        "images/",
        "images",
        "",
        f"ycs-submissions/{KEY[7:]}.png",
        f"{KEY}.png/",
    ],
)
@pytest.mark.usefixtures("image")
def test_a_path_that_is_no_key_is_not_found(app: Client, path: str) -> None:
    answer = app.get(f"/api/images/{path}", status=404)

    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


@settings(max_examples=50)
@given(st.text(max_size=60), st.text(max_size=60))
@example("images", "..")
@example("..", "..")
@example(".", "/etc/passwd")
def test_no_path_leads_out_of_the_storage(app: Client, prefix: str, filename: str) -> None:
    quoted = (quote(part, safe="", errors="replace") for part in (prefix, filename))

    app.get("/api/images/" + "/".join(quoted), status=404)


@pytest.mark.parametrize("asked_before", [False, True])
def test_an_image_whose_bytes_are_missing_is_not_found(
    asked_before: bool, app: Client, image: Any, instance: Instance
) -> None:
    if asked_before:
        app.get(image["url"], status=200)
    (instance.data / "media" / image["key"]).unlink()

    app.get(image["url"], status=404)
    app.get(image["url"], headers={"Range": "bytes=0-1"}, status=404)


def test_a_requested_image_is_an_immediate_answer_while_its_bytes_are_there(
    app: Client, image: Any, instance: Instance
) -> None:
    whole = app.get(image["url"])
    environ = {IMMEDIATE_ANSWER: app.app.immediate_answer("GET", image["url"], "")}

    again = app.get(image["url"], extra_environ=environ)
    known = app.get(image["url"], None, {"If-None-Match": whole.headers["ETag"]}, environ)
    assert (again.body, known.status_code) == (whole.body, 304)

    (instance.data / "media" / image["key"]).unlink()
    app.get(image["url"], extra_environ=environ, status=404)


def test_a_range_of_a_head_is_ignored(app: Client, image: Any) -> None:
    for _ in range(2):
        answer = app.head(image["url"], headers={"Range": "bytes=0-1"}, status=200)
        assert int(answer.headers["Content-Length"]) > 2
        app.get(image["url"], status=200)
