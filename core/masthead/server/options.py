"""The settings and options of the web server."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from masthead.hookspecs import hookimpl
from masthead.settings import Setting, Settings, integer

Network = IPv4Network | IPv6Network

MIB = 1024 * 1024


def networks(value: str) -> tuple[Network, ...]:
    """Parse IP addresses or networks separated by blanks.

    :raises ValueError: for a word that is neither.
    """
    try:
        return tuple(ip_network(word) for word in value.split())
    except ValueError:
        raise ValueError(
            "addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by blanks"
        ) from None


def host(value: str) -> str:
    """Parse an address to listen on; a blank one is refused, as it would mean every address.

    :raises ValueError: if it is blank.
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
    "Threads that answer reading requests, per process.",
    shows=False,
)
WRITE_THREADS = Setting(
    "masthead.server.write_threads",
    integer(1, 256),
    "4",
    "Threads that answer writing requests, per process.",
    shows=False,
)
UPLOAD_THREADS = Setting(
    "masthead.server.upload_threads",
    integer(1, 256),
    "2",
    "Threads that process uploaded files, per process.",
    shows=False,
)
PASSWORD_THREADS = Setting(
    "masthead.server.password_threads",
    integer(1, 256),
    "2",
    "Threads that hash passwords, per process.",
    shows=False,
)
RENDITION_THREADS = Setting(
    "masthead.server.rendition_threads",
    integer(1, 256),
    "2",
    "Threads that answer requests for images in another width, per process.",
    shows=False,
)
QUEUE_TIMEOUT = Setting(
    "masthead.server.queue_timeout",
    integer(1, 3600),
    "10",
    "Seconds that a request waits for a thread before it is answered with 503.",
    shows=False,
)
CONNECTIONS = Setting(
    "masthead.server.connections",
    integer(10, 100_000),
    "2000",
    "Maximum number of open connections per process; further connections wait.",
    shows=False,
)
IDLE_TIMEOUT = Setting(
    "masthead.server.idle_timeout",
    integer(1, 3600),
    "75",
    "Seconds after which an inactive connection is closed. A load balancer in front must close"
    " earlier; many do after 60.",
    shows=False,
)
REQUEST_TIMEOUT = Setting(
    "masthead.server.request_timeout",
    integer(1, 3600),
    "20",
    "Maximum number of seconds from the first byte of a request to the end of its headers. A "
    "request with a body gets one second more for each KiB received.",
    shows=False,
)
STOP_TIMEOUT = Setting(
    "masthead.server.stop_timeout",
    integer(0, 3600),
    "20",
    "Seconds in which running requests can finish when the server stops.",
    shows=False,
)
MAX_BODY = Setting(
    "masthead.server.max_body",
    integer(1024, 1024 * MIB),
    str(21 * MIB),
    "Maximum size of any request body in bytes; most endpoints have a lower limit.",
    shows=False,
)
TRUSTED_PROXIES = Setting(
    "masthead.server.trusted_proxies",
    networks,
    "",
    "Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers"
    " are trusted.",
    shows=False,
)

SETTINGS = (
    HOST,
    PORT,
    PROCESSES,
    THREADS,
    WRITE_THREADS,
    UPLOAD_THREADS,
    PASSWORD_THREADS,
    RENDITION_THREADS,
    QUEUE_TIMEOUT,
    CONNECTIONS,
    IDLE_TIMEOUT,
    REQUEST_TIMEOUT,
    STOP_TIMEOUT,
    MAX_BODY,
    TRUSTED_PROXIES,
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a server; times are in seconds, sizes in bytes."""

    host: str = "127.0.0.1"
    port: int = 6543
    """0 selects a free port."""
    processes: int = 1
    threads: int = 8
    """For reading requests, per process, as the following ones."""
    write_threads: int = 4
    upload_threads: int = 2
    password_threads: int = 2
    rendition_threads: int = 2
    queue_timeout: float = 10
    """How long a request waits for a thread."""
    secret_paths: tuple[str, ...] = ()
    """Prefixes of paths whose remainder is a secret that no log may show."""
    connection_limit: int = 2000
    """Per process."""
    channel_timeout: int = 75
    """How long a connection may be inactive."""
    head_timeout: float = 20
    """The maximum time from the first byte of a request to the end of its headers."""
    body_rate: int = 1024
    """Bytes per second; for each such portion of the body the request gets one second more."""
    stop_timeout: float = 20
    """The time in which running requests can finish when the server stops."""
    max_head: int = 64 * 1024
    max_body: int = 21 * MIB
    headers: tuple[tuple[str, str], ...] = ()
    """The headers of responses that the server sends without calling the application."""
    trusted_proxies: tuple[Network, ...] = ()

    @property
    def pools(self) -> dict[str, int]:
        """The numbers of threads, by pool (``masthead.http.pools``)."""
        return {
            "reads": self.threads,
            "writes": self.write_threads,
            "uploads": self.upload_threads,
            "passwords": self.password_threads,
            "renditions": self.rendition_threads,
            "readiness": 1,
            "status": 1,
        }

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        headers: tuple[tuple[str, str], ...],
        secret_paths: tuple[str, ...] = (),
    ) -> Options:
        """Return the options from the settings of an instance."""
        return cls(
            host=settings[HOST],
            port=settings[PORT],
            processes=settings[PROCESSES],
            threads=settings[THREADS],
            write_threads=settings[WRITE_THREADS],
            upload_threads=settings[UPLOAD_THREADS],
            password_threads=settings[PASSWORD_THREADS],
            rendition_threads=settings[RENDITION_THREADS],
            queue_timeout=settings[QUEUE_TIMEOUT],
            connection_limit=settings[CONNECTIONS],
            channel_timeout=settings[IDLE_TIMEOUT],
            head_timeout=settings[REQUEST_TIMEOUT],
            stop_timeout=settings[STOP_TIMEOUT],
            max_body=settings[MAX_BODY],
            headers=headers,
            secret_paths=secret_paths,
            trusted_proxies=settings[TRUSTED_PROXIES],
        )


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of ``masthead serve``."""
    return list(SETTINGS)
