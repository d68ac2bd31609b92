from __future__ import annotations

import logging
from typing import Any

import pytest

from masthead.server import access_log


@pytest.fixture
def line(caplog: pytest.LogCaptureFixture) -> Any:
    """Return the log line of a request with this environ."""
    caplog.set_level(logging.INFO, "masthead.access")

    def log(body: Any = (b"abc", b"de"), request_id: str = "r-1", **environ: Any) -> Any:
        def app(_environ: Any, start_response: Any) -> Any:
            start_response("200 OK", [("X-Request-Id", request_id)])
            return body

        environ = {"REQUEST_METHOD": "GET", "REMOTE_ADDR": "192.0.2.1", **environ}
        answer = access_log(app, ("/secret/",))(environ, lambda *_: None)
        list(answer)
        if hasattr(answer, "close"):
            answer.close()
        (record,) = caplog.records
        return record.getMessage()

    return log


def test_a_line_holds_all_that_is_known(line: Any) -> None:
    logged = line(PATH_INFO="/api/news", QUERY_STRING="limit=5", **{"masthead.user": "ada"})

    assert logged.startswith('192.0.2.1 ada "GET /api/news?limit=5" 200 5 ')
    assert logged.endswith("ms r-1")


def test_a_streamed_body_is_counted_when_it_ends(line: Any) -> None:
    assert '"GET /" 200 6 ' in line((part for part in (b"ab", b"cdef")), PATH_INFO="/")


@pytest.mark.parametrize(
    ("path", "query", "logged"),
    [
        ('/a\r\n1.2.3.4 - "GET /', "", "/a%0D%0A1.2.3.4%20-%20%22GET%20/"),
        ("/\xc3\xbc\x1b[31m", "", "/%C3%BC%1B%5B31m"),
        ("/a%0a", "", "/a%250a"),
        ("/", "x=%0A'\"", "/?x=%0A%27%22"),
        ("/", "x=\n\x85\u2028", "/?x=%0A%C2%85%E2%80%A8"),
    ],
)
def test_nothing_in_an_address_forges_a_line(line: Any, path: str, query: str, logged: str) -> None:
    assert f'"GET {logged}" 200' in line(PATH_INFO=path, QUERY_STRING=query)


def test_no_other_field_forges_a_line_either(line: Any) -> None:
    forged = 'x" 200\nnext'

    logged = line(request_id=forged, REQUEST_METHOD=forged, REMOTE_ADDR=forged, PATH_INFO="/")

    assert logged.count('"') == 2
    assert "\n" not in logged


@pytest.mark.parametrize(
    "name", ["token", "access_token", "newPassword", "t%6Fken", "to+token", "code"]
)
def test_secrets_in_the_query_are_masked(line: Any, name: str) -> None:
    logged = line(PATH_INFO="/", QUERY_STRING=f"a=1&{name}=hush&b=2")

    assert f'"GET /?a=1&{name}=***&b=2"' in logged


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/secret/hush", "/secret/:secret"),
        ("/secret/hush/", "/secret/:secret"),
        ("//secret//hush", "/secret/:secret"),
        ("/other//hush", "/other//hush"),
        ("/secret", "/secret"),
    ],
)
def test_secrets_in_the_path_are_hidden(line: Any, path: str, logged: str) -> None:
    assert f'"GET {logged}" 200' in line(PATH_INFO=path)


def test_a_long_address_is_cut(line: Any) -> None:
    assert len(line(PATH_INFO="/" + "x" * 10_000)) < 2200


def test_an_application_that_raises_is_logged_as_500(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "masthead.access")

    def app(environ: Any, _start_response: Any) -> Any:
        environ["masthead.request_id"] = "r-2"
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011  # any is passed on
        access_log(app)({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, lambda *_: None)

    assert '- - "GET /" 500 - ' in caplog.messages[0]
    assert caplog.messages[0].endswith(" r-2")


def test_the_server_logs_each_request_once(server: Any) -> None:
    server.get("/once?token=hush")

    assert '127.0.0.1 ada "GET /once?token=***" 200' in server.logged("/once")
    assert server.log.count("/once") == 1


def test_the_log_of_the_server_itself_is_safe_too(server: Any) -> None:
    server.send(b"GET /raise HTTP/1.1\r\nHost: a\r\n\r\n")
    server.send(b"GET /raise%0Aforged HTTP/1.1\r\nHost: a\r\n\r\n")

    server.logged("/raise%0Aforged")
    assert "\nforged" not in server.log


def test_no_log_of_the_server_shows_a_secret_in_the_path(server: Any) -> None:
    assert server.get("/secret/hush").status == 200
    assert server.get("/secret/raise/hush").status == 500
    assert (
        server.send(b"POST /secret/hush HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n").status
        == 400
    )

    server.logged("Exception while serving /secret/:secret")
    server.logged('"GET /secret/:secret" 200')
    server.logged('"GET /secret/:secret" 500')
    server.logged('"POST /secret/:secret" 400')
    assert "hush" not in server.log.replace("token=hush", "")
