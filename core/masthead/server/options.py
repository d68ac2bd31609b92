"""What a deployer may choose about the web server."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from masthead.settings import Setting, Settings, integer

Network = IPv4Network | IPv6Network

MIB = 1024 * 1024


def networks(value: str) -> tuple[Network, ...]:
    """IP addresses or networks separated by blanks.

    :raises ValueError: when a word is neither.
    """
    try:
        return tuple(ip_network(word) for word in value.split())
    except ValueError:
        raise ValueError("addresses or networks such as 127.0.0.1 or 10.0.0.0/8") from None


def host(value: str) -> str:
    """An address to listen on, which a blank one isn't: it would stand for every address.

    :raises ValueError: where it is blank.
    """
    if not value.strip():
        raise ValueError("an address such as 127.0.0.1, or 0.0.0.0 for every one")
    return value.strip()


HOST = Setting("masthead.server.host", host, "127.0.0.1", "Address to listen on.", shows=False)
PORT = Setting(
    "masthead.server.port",
    integer(0, 65535),
    "6543",
    "Port to listen on; 0 takes a free one.",
    shows=False,
)
PROCESSES = Setting(
    "masthead.server.processes",
    integer(1, 256),
    "1",
    "Processes that answer requests.",
    shows=False,
)
THREADS = Setting(
    "masthead.server.threads",
    integer(1, 256),
    "8",
    "Threads that answer requests, per process.",
    shows=False,
)
CONNECTIONS = Setting(
    "masthead.server.connections",
    integer(10, 100_000),
    "2000",
    "Open connections at most, per process; further ones wait.",
    shows=False,
)
IDLE_TIMEOUT = Setting(
    "masthead.server.idle_timeout",
    integer(1, 3600),
    "30",
    "Seconds after which a connection is closed on which nothing moves.",
    shows=False,
)
REQUEST_TIMEOUT = Setting(
    "masthead.server.request_timeout",
    integer(1, 3600),
    "20",
    "Seconds from a request's first byte to the end of its head. With a body it gets a second "
    "more for each KiB received.",
    shows=False,
)
STOP_TIMEOUT = Setting(
    "masthead.server.stop_timeout",
    integer(0, 3600),
    "20",
    "Seconds that running requests get to finish when the server stops.",
    shows=False,
)
MAX_BODY = Setting(
    "masthead.server.max_body",
    integer(1024, 1024 * MIB),
    str(21 * MIB),
    "Bytes that the body of any request may have; single endpoints allow less.",
    shows=False,
)
TRUSTED_PROXIES = Setting(
    "masthead.server.trusted_proxies",
    networks,
    "",
    "Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto count.",
    shows=False,
)

SETTINGS = (
    HOST,
    PORT,
    PROCESSES,
    THREADS,
    CONNECTIONS,
    IDLE_TIMEOUT,
    REQUEST_TIMEOUT,
    STOP_TIMEOUT,
    MAX_BODY,
    TRUSTED_PROXIES,
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to serve; times are seconds, sizes are bytes."""

    host: str = "127.0.0.1"
    port: int = 6543
    """0 takes a free port."""
    processes: int = 1
    threads: int = 8
    """Per process."""
    slow_paths: tuple[str, ...] = ()
    """Whose requests have threads of their own: however many wait for those, others needn't."""
    slow_threads: int = 2
    """Per process, beside ``threads``."""
    secret_paths: tuple[str, ...] = ()
    """Beginnings of paths whose rest is a secret, which no log shows."""
    connection_limit: int = 2000
    """Per process."""
    channel_timeout: int = 30
    """How long nothing may move on a connection."""
    head_timeout: float = 20
    """From the first byte of a request to the end of its head."""
    body_rate: int = 1024
    """Bytes per second; each such portion of a body received gives the request a second more."""
    stop_timeout: float = 20
    """What running requests get to finish when the server stops."""
    max_head: int = 64 * 1024
    max_body: int = 21 * MIB
    headers: tuple[tuple[str, str], ...] = ()
    """Put on the answers that the server gives by itself, without asking the application."""
    trusted_proxies: tuple[Network, ...] = ()

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        headers: tuple[tuple[str, str], ...],
        slow_paths: tuple[str, ...] = (),
        secret_paths: tuple[str, ...] = (),
    ) -> Options:
        """The options that an instance's settings ask for."""
        return cls(
            host=settings[HOST],
            port=settings[PORT],
            processes=settings[PROCESSES],
            threads=settings[THREADS],
            connection_limit=settings[CONNECTIONS],
            channel_timeout=settings[IDLE_TIMEOUT],
            head_timeout=settings[REQUEST_TIMEOUT],
            stop_timeout=settings[STOP_TIMEOUT],
            max_body=settings[MAX_BODY],
            headers=headers,
            slow_paths=slow_paths,
            secret_paths=secret_paths,
            trusted_proxies=settings[TRUSTED_PROXIES],
        )
