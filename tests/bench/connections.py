"""Whether clients get answers beside many idle, busy, incomplete or slow connections."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.bench import servers

SECONDS = 30
IDLE, ACTIVE = 1_000, 200
HALF_SENT, DRIPPING, LEGITIMATE = 300, 100, 20
PATH = "/api/tags"


@dataclass
class Asked:
    """The results of the requests of well-behaved clients."""

    seconds: list[float] = field(default_factory=list)
    errors: int = 0

    def __str__(self) -> str:
        """The counts and times of answers."""
        ordered = sorted(self.seconds) or [0.0]
        median, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
        return (
            f"{len(self.seconds):,} answers, {self.errors} errors,"
            f" median {median:.0f} ms, p99 {p99:.0f} ms"
        )


def measure() -> Iterator[str]:
    """Yield the number of failed requests beside many other connections."""
    for crowd in ("idle", "slow"):
        with servers.folder() as data, servers.masthead(data / "data") as server:
            # A separate process, because it needs a thousand sockets and a share of a core.
            command = [sys.executable, "-m", "tests.bench.connections", server.address, crowd]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            yield done.stdout.strip()


async def beside_idle(host: str, port: int) -> str:
    """Measure busy clients beside many idle connections."""
    idle = [await _opened(host, port) for _ in range(IDLE)]
    asked = Asked()
    await asyncio.collect(*(_ask(host, port, asked) for _ in range(ACTIVE)))
    for writer in idle:
        writer.close()
    return f"{ACTIVE} busy connections beside {IDLE:,} idle ones, {SECONDS} s: {asked}"


async def beside_slow(host: str, port: int) -> str:
    """Measure clients beside many that never finish a request."""
    head = f"GET {PATH} HTTP/1.1\r\nHost: {host}\r\n".encode()
    slow = [await _opened(host, port) for _ in range(HALF_SENT)]
    for writer in slow:
        writer.write(head)
    dripping = [asyncio.create_task(_drip(host, port, head)) for _ in range(DRIPPING)]
    asked = Asked()
    await asyncio.collect(*(_ask(host, port, asked) for _ in range(LEGITIMATE)))
    for task in dripping:
        task.cancel()
    for writer in slow:
        writer.close()
    return (
        f"{LEGITIMATE} connections beside {HALF_SENT} half-sent and {DRIPPING} dripping"
        f" requests, {SECONDS} s: {asked}"
    )


async def _ask(host: str, port: int, asked: Asked) -> None:
    """Send requests repeatedly; count a broken connection as an error, and replace it."""
    end = time.perf_counter() + SECONDS
    request = f"GET {PATH} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    while time.perf_counter() < end:
        try:
            reader, writer = await asyncio.open_connection(host, port)
            while (began := time.perf_counter()) < end:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length:")[1].split()[0])
                await reader.readexactly(length)
                asked.errors += not head.startswith(b"HTTP/1.1 200 ")
                asked.seconds.append(time.perf_counter() - began)
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            asked.errors += 1
            await asyncio.sleep(0.1)


async def _opened(host: str, port: int) -> asyncio.StreamWriter:
    _, writer = await asyncio.open_connection(host, port)
    return writer


async def _drip(host: str, port: int, head: bytes) -> None:
    """Send one byte per second, and reconnect if the server closes the connection."""
    while True:
        try:
            writer = await _opened(host, port)
            for byte in head:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(1)
        except OSError:
            await asyncio.sleep(1)


if __name__ == "__main__":
    address = urlsplit(sys.argv[1])
    crowd = {"idle": beside_idle, "slow": beside_slow}[sys.argv[2]]
    sys.stdout.write(asyncio.run(crowd(address.hostname or "", address.port or 80)))
