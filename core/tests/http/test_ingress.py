"""The checks before the router, and the headers of every response."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
import webtest

from masthead.http.ingress import MAX_PATH, MAX_QUERY, Ingress
from masthead.testing.client import Client

CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Content-Type, Authorization, If-Match, Idempotency-Key, Last-Event-ID"
    ),
}
EXPOSED = {"ETag", "Link", "X-Total-Count", "X-Request-Id"}
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


def ask(app: Client, path: str, query: str = "", method: str = "GET", **options: Any) -> Any:
    """Send a request with path and query as a server passes them: bytes as Latin-1."""
    request = webtest.TestRequest.blank("/", app.extra_environ)
    request.method = method
    request.environ["PATH_INFO"] = path
    request.environ["QUERY_STRING"] = query
    return app.do_request(request, **options)


def answers(app: Client) -> Iterator[Any]:
    """Return a response of each kind."""
    yield app.get("/api/tags")
    yield app.head("/api/tags")
    yield app.get("/api/tags", headers={"If-None-Match": app.get("/api/tags").headers["ETag"]})
    yield app.get("/api/tags?limit=x", status=400)
    yield app.get("/api/auth/check", status=401)
    yield app.as_role("editor").get("/api/staff/users", status=403)
    yield app.get("/nowhere", status=404)
    yield app.post("/api/auth/login", b"{", status=400)
    yield ask(app, "/\xff", status=404)
    yield ask(app, "/api/tags", "x=%ff", status=400)
    yield app.options("/api/tags")


def test_browsers_may_remember_the_answer_to_a_preflight_request_for_a_day(app: Client) -> None:
    assert app.options("/api/staff/tags").headers["Access-Control-Max-Age"] == "86400"


def test_every_answer_carries_the_cors_and_security_headers(app: Client) -> None:
    for answer in answers(app):
        for name, value in {**CORS, **SECURITY}.items():
            assert answer.headers.getall(name) == [value], answer
        assert {e.strip() for e in answer.headers["Access-Control-Expose-Headers"].split(",")} >= (
            EXPOSED
        )
        assert "Server" not in answer.headers
        assert "Strict-Transport-Security" not in answer.headers


def test_every_answer_has_a_request_id_of_its_own(app: Client) -> None:
    ids = [answer.headers.getall("X-Request-Id") for answer in answers(app)]

    assert all(len(each) == 1 for each in ids)
    assert len({each[0] for each in ids}) == len(ids)


def test_a_client_cannot_choose_the_request_id(app: Client) -> None:
    answer = app.get("/api/tags", headers={"X-Request-Id": "chosen"})

    assert answer.headers["X-Request-Id"] != "chosen"


class TestBehindHttps:
    @pytest.fixture(params=["https://api.example.org/", "HTTPS://api.example.org"])
    def settings(self, request: pytest.FixtureRequest) -> dict[str, str]:
        return {"masthead.base_url": request.param}

    def test_every_answer_asks_for_https(self, app: Client) -> None:
        for answer in answers(app):
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize(
    "path",
    ["/", "/api/tags", "/nowhere", "/api/staff/users/007", "/\xff", "/\x00", "/" + "x" * 9999],
)
def test_options_answers_anywhere(app: Client, path: str) -> None:
    for query in ("", "x=%ff", "limit=x"):
        answer = ask(app, path, query, "OPTIONS")

        assert answer.status_int == 200
        assert {name: answer.headers[name] for name in CORS} == CORS


@pytest.mark.parametrize(
    "path", ["/\xff", "/api/tags\xc3", "/\xed\xa0\x80", "/\xc0\xaf", "/api/tags/\xfe/x"]
)
def test_an_undecodable_path_is_unknown(app: Client, path: str) -> None:
    assert ask(app, path, status=404).json == {"error": "Not found"}


@pytest.mark.parametrize("path", ["/\x00", "/api/tags\x00", "/api/staff/users/1\x00", "/\r\nx: y"])
def test_a_path_with_control_characters_is_unknown(app: Client, path: str) -> None:
    assert ask(app.as_role("admin"), path, status=404).json == {"error": "Not found"}


@pytest.mark.parametrize(
    "query", ["x=%ff", "%ff", "%ff=x", "limit=1&x=%c3", "x=%ed%a0%80", "x=\xff", "x=%C0%AF"]
)
def test_an_undecodable_query_is_refused(app: Client, query: str) -> None:
    answer = ask(app, "/api/tags", query, status=400)

    assert answer.json == {"error": "The query is not UTF-8"}


@pytest.mark.parametrize("query", ["x=%", "x=%zz", "&&&", "=", "x", "a=1;b=2", "x=%00", "%25=%26"])
def test_an_odd_query_of_unknown_parameters_is_ignored(app: Client, query: str) -> None:
    assert ask(app, "/api/tags", query).json == []


def test_a_huge_address_is_refused(app: Client) -> None:
    assert ask(app, "/" + "x" * (MAX_PATH - 1), status=404)
    assert ask(app, "/" + "x" * MAX_PATH, status=400).json == {"error": "The address is too long"}
    assert ask(app, "/api/tags", "x" * MAX_QUERY).json == []
    assert ask(app, "/api/tags", "x" * (MAX_QUERY + 1), status=400)


def test_ten_thousand_parameters_are_no_trouble(app: Client) -> None:
    assert ask(app, "/api/tags", "a&" * (MAX_QUERY // 2)).json == []


def test_an_exception_outside_the_router_is_json_too(caplog: pytest.LogCaptureFixture) -> None:
    def broken(environ: WSGIEnvironment, _start_response: StartResponse) -> Iterable[bytes]:
        raise RuntimeError(f"SELECT secret FROM {environ['PATH_INFO']}")

    answer = webtest.TestApp(Ingress(broken, "http://127.0.0.1")).get("/x", status=500)

    assert answer.json == {"error": "Internal server error"}
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Request-Id"] in caplog.text
