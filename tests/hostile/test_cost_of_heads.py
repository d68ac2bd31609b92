"""The time to read the head of a request is linear in its size, whatever the head contains."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from waitress.adjustments import Adjustments

from masthead import Instance
from masthead.http.environ import Handling
from masthead.server.access_log import access_log
from masthead.server.options import networks
from masthead.server.parser import Parser
from masthead.server.proxy import behind_proxies
from masthead.testing import Client
from masthead.web.app import app_of

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

SMALL, LARGE = 16_000, 64_000
MOST = 8
"""The maximum ratio of the times for both sizes: 4 is linear, and 16 quadratic."""
ROUNDS = 4

UNITS = [" ", "\t", ",", ", ", '"', "\\", '\\"', ";", "; ", "=", "-", "0", "9", "a", "\xe9", "%"]
UNITS += ["%41", "%C3", "/", "//", "../", ":", ".", "*", "+", "&", "&a=b", "?", "(", "[", "{", "<"]
UNITS += [
    "a ",
    " a",
    "a,",
    "a;",
    "a=",
    "a=b;",
    "a=b, ",
    '"a", ',
    'W/"',
    '"a" ',
    "q=0.1,",
    "1.1.1.1,",
]
UNITS += ["127.0.0.1,", "1-,", "://", "a://", "\x01", "_", "a\r\n", "\r\n", "a:b\r\n", "a:b\r\n "]
ENDS = ["", "x"]
STARTS = ["", "bytes=", '"', "Bearer ", "Bearer a", "a=", "text/html;", "text/html; charset="]
STARTS += ["multipart/form-data; boundary=", 'multipart/form-data; boundary="a', "bytes=0-"]
HEADERS = [
    "ACCEPT",
    "ACCEPT_CHARSET",
    "ACCEPT_ENCODING",
    "ACCEPT_LANGUAGE",
    "AUTHORIZATION",
    "CACHE_CONTROL",
    "COOKIE",
    "DATE",
    "FORWARDED",
    "HOST",
    "IF_MATCH",
    "IF_MODIFIED_SINCE",
    "IF_NONE_MATCH",
    "IF_RANGE",
    "IF_UNMODIFIED_SINCE",
    "ORIGIN",
    "RANGE",
    "REFERER",
    "USER_AGENT",
    "X_FORWARDED_FOR",
    "X_FORWARDED_HOST",
    "X_FORWARDED_PROTO",
    "X_REQUESTED_WITH",
    "X_UNKNOWN",
]
"""Every header that Masthead or one of its libraries reads, and one that none reads."""
PLACES: dict[str, tuple[bytes, bytes]] = {
    "the first line": (b"", b"\r\nHost: a\r\n\r\n"),
    "the target": (b"GET /", b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    "an absolute target": (b"GET http://", b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    "another scheme": (b"GET a://", b" HTTP/1.1 x\r\nHost: a\r\n\r\n"),
    "the version": (b"GET / HTTP/1.1", b"\r\nHost: a\r\n\r\n"),
    "the name of a header": (b"GET / HTTP/1.1\r\nHost: a\r\n", b": a\r\n\r\n"),
    "a header": (b"GET / HTTP/1.1\r\nHost: a\r\nX:", b"\r\n\r\n"),
    "many headers": (b"GET / HTTP/1.1\r\nHost: a\r\n", b"\r\n\r\n"),
    "Host": (b"GET / HTTP/1.1\r\nHost:", b"\r\n\r\n"),
    "Connection": (b"GET / HTTP/1.1\r\nHost: a\r\nConnection:", b"\r\n\r\n"),
    "Expect": (b"GET / HTTP/1.1\r\nHost: a\r\nExpect:", b"\r\n\r\n"),
    "Content-Length": (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length:", b"\r\n\r\n"),
    "Transfer-Encoding": (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:", b"\r\n\r\n"),
    "the chunks": (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b""),
    "a chunk": (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"\r\n"),
    "the trailer": (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b""),
}


Call = Callable[..., None]


def values(size: int) -> Iterator[tuple[str, str]]:
    """Yield the description of each worst value, and the value."""
    for unit, end in product(UNITS, ENDS):
        yield f"{unit!r} and {end!r}", unit * (size // len(unit)) + end


def seconds(action: Callable[[], object]) -> float:
    """Return the processor time of an action."""
    began = time.thread_time()
    action()
    return time.thread_time() - began


def grows_faster(small: Callable[[], object], large: Callable[[], object], least: float) -> bool:
    """Whether the large action takes too long in each of several comparisons."""
    return all(seconds(large) > MOST * max(seconds(small), least) for _ in range(ROUNDS))


@pytest.mark.parametrize("place", PLACES)
def test_of_the_parser(place: str) -> None:
    before, after = PLACES[place]

    def action(value: str) -> Callable[[], object]:
        data = before + value.encode("latin-1") + after
        return lambda: parse(data)

    least = seconds(action("a" * SMALL))
    slow = [
        described
        for (described, small), (_, large) in zip(values(SMALL), values(LARGE), strict=True)
        if grows_faster(action(small), action(large), least)
    ]

    assert slow == []


def parse(data: bytes) -> None:
    """Give all bytes to parsers, as a connection does."""
    adjustments = Adjustments(max_request_header_size=LARGE * 2)
    parser = Parser(adjustments)
    while data and not parser.error:
        if parser.completed:
            parser = Parser(adjustments)
        data = data[parser.received(data) :]


@pytest.mark.parametrize("unit", ["\r\n", "GET / HTTP/1.0\r\n\r\n", "x", "a: b\r\n"])
@pytest.mark.parametrize("place", ["many headers", "the chunks", "the trailer", "the first line"])
def test_of_bytes_that_arrive_one_by_one(place: str, unit: str) -> None:
    before, _ = PLACES[place]

    def action(size: int) -> Callable[[], object]:
        data = before + unit.encode() * (size // len(unit))

        def drip() -> None:
            parser = Parser(Adjustments(max_request_header_size=LARGE * 2))
            for byte in data:
                parser.received(bytes([byte]))

        return drip

    assert not grows_faster(action(SMALL), action(LARGE), 0)


@pytest.fixture
def call(instance: Instance) -> Call:
    """Call the application as the server does, with one value in every header."""
    app = behind_proxies(access_log(app_of(instance)), networks("127.0.0.1"))

    def ask(
        method: str, path: str, query: str, value: str, form: bytes = b"", **headers: str
    ) -> None:
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "a",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(form or b"{}"),
            "wsgi.errors": io.StringIO(),
            "CONTENT_LENGTH": str(len(form or b"{}")),
            "CONTENT_TYPE": value,
            **{f"HTTP_{name}": value for name in HEADERS},
            **headers,
        }
        body: Any = app(environ, lambda *_: lambda _: None)
        for _ in body:
            pass
        if hasattr(body, "close"):
            body.close()

    return ask


@pytest.fixture
def image(app: Client, picture: bytes) -> str:
    """Return the address of an image."""
    uploaded = app.as_role("admin").post(
        "/api/staff/upload/image", upload_files=[("file", "a.png", picture)]
    )
    return str(uploaded.json["url"])


@pytest.fixture
def picture() -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (4, 4)).save(file, "PNG")
    return file.getvalue()


UPLOAD = "/api/ycs/upload/image"
REQUESTS = {
    "a cached answer": ("GET", "/api/tags"),
    "an image": ("GET", "image"),
    "a staff list": ("GET", "/api/staff/tags"),
    "an upload": ("POST", "/api/staff/upload/image"),
    "a public upload": ("POST", UPLOAD),
    "a login": ("POST", "/api/auth/login"),
    "no address": ("GET", "/nowhere"),
}


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("request_kind", REQUESTS)
def test_of_the_headers(call: Call, image: str, request_kind: str) -> None:
    method, path = REQUESTS[request_kind]
    path = image if path == "image" else path

    def action(value: str) -> Callable[[], object]:
        return lambda: call(method, path, "", value)

    least = seconds(action("a"))
    slow = [
        (start, described)
        for start in STARTS
        for (described, small), (_, large) in zip(values(SMALL), values(LARGE), strict=True)
        if grows_faster(action(start + small), action(start + large), least)
    ]

    assert slow == []


def test_of_the_head_of_a_part_of_a_form(call: Call) -> None:
    def action(name: str, value: str) -> Callable[[], object]:
        lines = f"--edge\r\n{name}{value}\r\n\r\nx\r\n--edge--\r\n"
        form, kind = lines.encode("latin-1"), "multipart/form-data; boundary=edge"
        return lambda: call("POST", UPLOAD, "", "a", form, CONTENT_TYPE=kind)

    names = ("", "X:", "Content-Disposition:", 'Content-Disposition: form-data; name="')
    names += ("Content-Disposition: form-data; name=a; filename=", "Content-Type: text/html;")
    least = seconds(action("X:", "a"))
    slow = [
        (name, described)
        for name in names
        for (described, small), (_, large) in zip(values(SMALL), values(LARGE), strict=True)
        if grows_faster(action(name, small), action(name, large), least)
    ]

    assert slow == []


@pytest.mark.usefixtures("seeded")
def test_of_the_address(call: Call) -> None:
    def action(path: str, query: str) -> Callable[[], object]:
        return lambda: call("GET", path, query, "a")

    least = seconds(action("/nowhere", ""))
    slow = [
        described
        for (described, small), (_, large) in zip(
            values(SMALL // 4), values(LARGE // 4), strict=True
        )
        for before in ("/", "/api/news/", "/api/images/")
        if grows_faster(action(before + small, ""), action(before + large, ""), least)
        or grows_faster(action("/api/news", small), action("/api/news", large), least)
    ]

    assert slow == []


def test_of_the_choice_of_a_pool(instance: Instance) -> None:
    handling: Callable[[str, str, str], Handling] = app_of(instance).handling

    def action(value: str) -> Callable[[], object]:
        return lambda: [
            handling("GET", start + value, value) for start in ("/", "/api/", "/api/news/")
        ]

    slow = [
        described
        for (described, small), (_, large) in zip(values(1_000), values(4_000), strict=True)
        if grows_faster(action(small), action(large), seconds(action("a")))
    ]

    assert slow == []
