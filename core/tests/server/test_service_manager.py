"""The messages to a service manager, and the socket that it passes, with real processes."""

from __future__ import annotations

import http.client
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from masthead.errors import StartError
from masthead.server.service_manager import ServiceManager, passed_socket

PAUSE = 1.0  # seconds between two signs of life


class Manager:
    """The part of a service manager that receives the messages of a service."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        named = f"@{address[1:]}" if address.startswith("\0") else address
        self.environ = {"NOTIFY_SOCKET": named, "WATCHDOG_USEC": str(int(PAUSE * 2_000_000))}

    def next(self, seconds: float = 15) -> str:
        """Return the next message; blank if none arrives in time."""
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(4096).decode()
        except TimeoutError:
            return ""

    def until(self, beginning: str) -> str:
        """Return the next message that begins so, and skip signs of life before it."""
        while (message := self.next()) == "WATCHDOG=1" and not message.startswith(beginning):
            pass
        assert message.startswith(beginning)
        return message

    def falls_silent(self) -> bool:
        """Whether the signs of life end within some pauses."""
        return any(not self.next(4 * PAUSE) for _ in range(10))

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: Any, tmp_path: Path) -> Iterator[Manager]:
    name = secrets.token_hex(8)
    manager = Manager(str(tmp_path / name) if request.param == "path" else f"\0{name}")
    yield manager
    manager.close()


@pytest.fixture
def abstract() -> Iterator[Manager]:
    manager = Manager(f"\0{secrets.token_hex(8)}")
    yield manager
    manager.close()


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_server_tells_its_states(manager: Manager, start: Any, processes: int) -> None:
    server = start(environ=manager.environ, processes=processes, worker="lives")

    assert manager.next() == "READY=1"
    assert server.get().status == 200
    assert manager.next() == "WATCHDOG=1"
    before = time.monotonic_ns() // 1000
    server.process.send_signal(signal.SIGHUP)
    _, _, since = manager.until("RELOADING=1\nMONOTONIC_USEC=").rpartition("=")
    assert before <= int(since) <= time.monotonic_ns() // 1000
    assert manager.next() == "READY=1"
    assert server.stop() == 0
    assert manager.until("STOPPING") == "STOPPING=1"
    assert manager.next(0.1) == ""


@pytest.mark.slow
def test_no_sign_of_life_while_a_process_hangs(abstract: Manager, start: Any) -> None:
    server = start(environ=abstract.environ, processes=2, worker="lives")
    hung = [server.get().json["pid"], int(server.noted("worker"))]
    abstract.until("READY=1")

    for pid in hung:
        assert abstract.next() == "WATCHDOG=1"
        os.kill(pid, signal.SIGSTOP)
        assert abstract.falls_silent()
        os.kill(pid, signal.SIGCONT)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_no_sign_of_life_while_the_worker_hangs(
    abstract: Manager, start: Any, processes: int
) -> None:
    server = start(environ=abstract.environ, processes=processes, worker="lives")
    abstract.until("READY=1")
    assert abstract.next() == "WATCHDOG=1"

    (server.folder / "hung").touch()
    assert abstract.falls_silent()
    (server.folder / "hung").unlink()
    assert abstract.next() == "WATCHDOG=1"


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_restart_behind_a_passed_socket_loses_no_connection(start: Any, processes: int) -> None:
    answered: list[int] = []
    lost: list[BaseException] = []
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:

        def ask() -> None:
            while not ended.is_set():
                connection = http.client.HTTPConnection(*listener.getsockname(), timeout=60)
                try:
                    connection.request("GET", "/")
                    answered.append(connection.getresponse().status)
                except (OSError, http.client.HTTPException) as error:
                    lost.append(error)
                finally:
                    connection.close()

        server = start(passed=listener, processes=processes)
        assert server.address == listener.getsockname()
        clients = [threading.Thread(target=ask) for _ in range(3)]
        for client in clients:
            client.start()
        for _ in range(2):
            so_far = len(answered)
            while len(answered) < so_far + 50 and not lost:
                time.sleep(0.01)
            assert server.stop() == 0
            server = start(passed=listener, processes=processes)
        ended.set()
        for client in clients:
            client.join()

    assert lost == []
    assert set(answered) == {200}


def test_variables_of_another_process_mean_nothing() -> None:
    other = {"LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x"}
    assert passed_socket(other) is None
    assert other == {}
    for environ in (
        {"WATCHDOG_USEC": "2000000"},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "0"},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "often"},
    ):
        assert ServiceManager(environ).pause == float("inf")


def test_several_passed_sockets_are_refused() -> None:
    with pytest.raises(StartError, match="passes 2 sockets"):
        passed_socket({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"})
