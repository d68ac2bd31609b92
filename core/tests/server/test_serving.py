from __future__ import annotations

import signal
import socket
import threading
import time
from contextlib import ExitStack
from typing import Any

import pytest

from masthead.errors import StartError
from masthead.server.serving import address_of, listen

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("processes", [1, 2])
def test_a_stop_finishes_the_running_request(
    start: Any, answer_on: Any, number: int, processes: int
) -> None:
    server = start(processes=processes)
    with server.connect() as client, server.connect():
        client.sendall(b"GET /slow?seconds=0.7 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")
        server.process.send_signal(number)

        assert answer_on(client).status == 200
    assert server.wait() == 0
    with pytest.raises(ConnectionRefusedError):
        server.connect()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_stop_waits_no_longer_than_set(start: Any, processes: int) -> None:
    server = start(stop_timeout=0.3, processes=processes)
    with server.connect() as client:
        client.sendall(b"GET /slow?seconds=10 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")

        assert server.stop() == 0
    assert "1 requests unfinished" in server.log


@pytest.mark.parametrize("processes", [1, 2])
def test_a_stop_waits_for_no_thread_that_keeps_the_interpreter(start: Any, processes: int) -> None:
    server = start(stop_timeout=2, processes=processes)
    with server.connect() as client:
        client.sendall(b"GET /hold?seconds=60 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")

        # The thread takes the interpreter a second later, for a minute.
        server.stop()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_worker_runs_beside_and_is_told_to_stop(start: Any, processes: int) -> None:
    server = start(worker="lives", processes=processes)

    in_server = server.noted("worker") == str(server.process.pid)
    assert server.stop() == 0

    assert in_server == (processes == 1)
    assert server.noted("worker") == "stopped"


def test_a_worker_that_ends_by_itself_ends_the_server_beside_it(start: Any) -> None:
    server = start(worker="dies")

    assert server.wait() == 1
    assert "the worker's disk is gone" in server.log
    assert "RuntimeError: the worker ended" in server.log


def test_a_port_in_use_stops_the_start_with_one_line() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError) as refused:
            listen("127.0.0.1", port)

    assert str(refused.value) == (
        f"can't listen on 127.0.0.1 port {port}: another program listens there"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
def test_an_address_that_is_not_ours_stops_the_start(host: str) -> None:
    with pytest.raises(StartError, match="can't listen on"):
        listen(host, 0)


def test_the_address_of_an_ipv6_socket_is_a_url() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        listener = listen("::1", 0)
    except StartError:
        pytest.skip("no IPv6 here")
    with listener:
        assert address_of(listener).startswith("http://[::1]:")


def test_requests_that_wait_for_one_pool_keep_no_other_waiting(start: Any) -> None:
    server = start(threads=1, password_threads=1)
    with ExitStack() as open_clients:
        clients = [open_clients.enter_context(server.connect()) for _ in range(4)]
        for client in clients:
            client.sendall(b"GET /slow?seconds=1 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")
        began = time.monotonic()

        assert server.get("/").status == 200

        assert time.monotonic() - began < 0.9
        assert server.stop() == 0


def test_requests_in_parallel_are_answered_in_parallel(start: Any) -> None:
    server = start(threads=4)
    began = time.monotonic()
    threads = [threading.Thread(target=server.get, args=("/slow?seconds=1",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert time.monotonic() - began < 3.5
