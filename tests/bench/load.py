"""A load generator: GET requests over persistent connections, at the speed of a process."""

from __future__ import annotations

import socket
import sys
import threading
import time
from urllib.parse import urlsplit


class Connection:
    """A connection that requests one address repeatedly.

    All answers must have the length of the first one.
    """

    def __init__(self, url: str, accepted: str = "identity") -> None:
        parts = urlsplit(url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        head = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: {accepted}"
        self._request = f"{head}\r\n\r\n".encode()
        self._socket = socket.create_connection(
            (parts.hostname or "", parts.port or 80), timeout=30
        )
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray(32 * 1024 * 1024)
        self._length = self._measure()

    def ask(self) -> None:
        """Send a request and read the answer.

        :raises RuntimeError: for another status than 200.
        """
        self._socket.sendall(self._request)
        view, got = memoryview(self._buffer), 0
        while got < self._length:
            got += self._receive(view[got:])
        self._check()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _measure(self) -> int:
        self._socket.sendall(self._request)
        view, got = memoryview(self._buffer), 0
        while (end := self._buffer.find(b"\r\n\r\n", 0, got)) < 0:
            got += self._receive(view[got:])
        head = bytes(self._buffer[:end]).lower()
        self._check()
        length = end + 4 + int(head.split(b"content-length:")[1].split()[0])
        while got < length:
            got += self._receive(view[got:])
        return length

    def _receive(self, view: memoryview) -> int:
        got = self._socket.recv_into(view)
        if not got:
            raise RuntimeError("the server hung up")
        return got

    def _check(self) -> None:
        if not self._buffer.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(bytes(self._buffer[:60]).decode("latin-1"))


def rate(url: str, seconds: float, connections: int, accepted: str = "identity") -> float:
    """Return requests per second over a number of connections, each in its own thread.

    :param accepted: the content coding to ask for.
    """
    counts = [0] * connections
    opened = [Connection(url, accepted) for _ in range(connections)]
    end = time.perf_counter() + seconds

    def run(number: int) -> None:
        connection = opened[number]
        while time.perf_counter() < end:
            connection.ask()
            counts[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(connections)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - began
    for connection in opened:
        connection.close()
    return sum(counts) / took


if __name__ == "__main__":
    url, seconds, connections, *coding = sys.argv[1:]
    sys.stdout.write(f"{rate(url, float(seconds), int(connections), *coding)}\n")
