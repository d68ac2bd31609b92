from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def seconds_until_closed(client: Any, drip: bytes) -> Any:
    """Send a byte of ``drip`` each tenth of a second until the server closes."""
    began = time.monotonic()
    client.setblocking(False)
    for byte in drip:
        try:
            client.send(bytes([byte]))
            if client.recv(10_000) == b"":
                break
        except BlockingIOError:
            pass
        except OSError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("the connection is still open")
    return time.monotonic() - began


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_every_method_reaches_the_application(server: Any, method: str) -> None:
    answer = server.get(method=method)

    assert answer.json["method"] == method
    assert "Server" not in answer.headers


def test_head_is_answered_without_a_body(server: Any) -> None:
    answer = server.get(method="HEAD")

    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_options_of_the_server_itself_reaches_the_application(server: Any) -> None:
    assert server.send(b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").json["path"] == "*"


def test_a_connection_serves_several_requests(server: Any, answer_on: Any) -> None:
    with server.connect() as client:
        for path in ("/one", "/two"):
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            assert answer_on(client).json["path"] == path


def test_pipelined_requests_are_answered_in_order(server: Any) -> None:
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(
            b"GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
            b"GET /two HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )

        received = stream.read()

    assert received.index(b"/one") < received.index(b"/two")


@pytest.mark.parametrize(
    "drip",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nx: " + b"y" * 100,
        b"\r\n" * 60,
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 20,
    ],
    ids=["a head", "blank lines", "chunks"],
)
def test_a_client_that_drips_is_closed_though_never_idle(server: Any, drip: bytes) -> None:
    with server.connect() as client:
        assert seconds_until_closed(client, drip) > 0.9


def test_a_body_that_drips_is_closed(server: Any) -> None:
    with server.connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")

        assert seconds_until_closed(client, b"z" * 100) > 0.9


def test_a_body_that_is_slow_but_steady_is_taken(server: Any, answer_on: Any) -> None:
    with server.connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(20):
            client.sendall(b"z" * 5000)
            time.sleep(0.09)

        assert answer_on(client).json["length"] == 100_000


def test_an_idle_connection_is_closed(server: Any) -> None:
    with server.connect() as client:
        assert client.recv(1) == b""


def test_a_client_that_reads_nothing_is_closed_and_frees_its_thread(start: Any) -> None:
    server = start(threads=1, channel_timeout=1)
    with server.connect() as client:
        client.sendall(b"GET /large?chunks=800 HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.2)

        assert server.get("/next").json["path"] == "/next"


def test_300_half_sent_requests_do_not_delay_others(start: Any) -> None:
    server = start(threads=2)
    clients = [server.connect() for _ in range(300)]
    try:
        for client in clients:
            client.sendall(b"GET /half HTTP/1.1\r\nHost:")
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: server.get("/whole").status, range(40)))
    finally:
        for client in clients:
            client.close()

    assert answers == [200] * 40


def test_more_connections_than_allowed_wait_for_their_turn(start: Any) -> None:
    server = start(connection_limit=12, channel_timeout=1)
    clients = [server.connect() for _ in range(20)]
    try:
        assert server.get().status == 200
    finally:
        for client in clients:
            client.close()


@pytest.mark.parametrize(
    "request_line", [b"GET /large?chunks=20 HTTP/1.1", b"NONSENSE"], ids=["answered", "refused"]
)
def test_clients_that_reset_leave_no_traceback(start: Any, request_line: bytes) -> None:
    server = start()
    for _ in range(50):
        with server.connect() as client:
            client.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER of 0 s: close by reset
            client.sendall(request_line + b"\r\nHost: a\r\n\r\n")

    assert server.stop() == 0
    assert "Traceback" not in server.log
