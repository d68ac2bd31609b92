"""One call of a webhook over HTTP."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from masthead_webhooks.network import RefusedAddressError, connect
from masthead_webhooks.settings import Network

_MOST_BYTES = 2_048
"""The number of bytes that are read of an answer."""


@dataclass(frozen=True)
class Answer:
    """The result of a call."""

    duration: int
    """In milliseconds."""
    status: int | None = None
    response: str | None = None
    """The beginning of the body."""
    retry_after: str | None = None
    """The header of that name."""
    error: str | None = None
    """The reason for which there is no status, or the status is a failure."""


@dataclass
class Line:
    """The way to one webhook: connects to a checked address, and hangs up after a time."""

    timeout: float
    allowed_networks: Sequence[Network]
    is_late: bool = field(default=False, init=False)
    _copy: socket.socket | None = field(default=None, init=False)

    def open(self, host: str, port: int) -> socket.socket:
        """Return a new connection."""
        connection = connect(host, port, self.timeout, self.allowed_networks)
        # TLS takes the socket over, so that only a copy of it can end the connection.
        self._copy = connection.dup()
        if self.is_late:
            self.hang_up()
        return connection

    @contextlib.contextmanager
    def limited(self) -> Iterator[None]:
        """End the connection if the block takes longer than the timeout.

        A timeout of the socket limits each read only, and a slow answer may consist of many.
        """
        timer = threading.Timer(self.timeout, self.hang_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if self._copy is not None:
                self._copy.close()

    def hang_up(self) -> None:
        """End the connection."""
        self.is_late = True
        if self._copy is not None:
            with contextlib.suppress(OSError):
                self._copy.shutdown(socket.SHUT_RDWR)


class _Plain(HTTPConnection):
    """A connection that a line opens."""

    def __init__(self, *arguments: Any, line: Line, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._line = line

    def _new_conn(self) -> socket.socket:
        return self._line.open(self._dns_host, self.port or self.default_port)


class _Encrypted(HTTPSConnection):
    """The same with TLS; the certificate is checked against the name of the host."""

    def __init__(self, *arguments: Any, line: Line, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._line = line

    def _new_conn(self) -> socket.socket:
        return self._line.open(self._dns_host, self.port or self.default_port)


class _PlainPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Plain


class _EncryptedPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Encrypted


def call(url: str, headers: Mapping[str, str], body: bytes, line: Line) -> Answer:
    """Post a body to a webhook, and return its answer.

    Proxies of the environment are ignored, and redirects aren't followed.
    """
    began = time.monotonic()

    def took() -> int:
        return round((time.monotonic() - began) * 1000)

    try:
        with line.limited():
            status, response, retry_after = _post(url, headers, body, line)
    except (urllib3.exceptions.HTTPError, OSError, ValueError, RefusedAddressError) as error:
        return Answer(took(), error=_explain(error, line))
    error_text = None if 200 <= status < 300 else f"The answer was {status}"
    return Answer(took(), status, response, retry_after, error_text)


def _post(
    url: str, headers: Mapping[str, str], body: bytes, line: Line
) -> tuple[int, str, str | None]:
    parts = urllib3.util.parse_url(url)
    pool_class = _EncryptedPool if parts.scheme == "https" else _PlainPool
    with pool_class(parts.host or "", parts.port, timeout=line.timeout, line=line) as pool:
        answer = pool.urlopen(
            "POST",
            parts.request_uri,
            body=body,
            headers=headers,
            retries=False,
            redirect=False,
            preload_content=False,
            decode_content=False,
        )
        try:
            # The status counts, even if the rest of the answer is late or broken.
            text = ""
            with contextlib.suppress(urllib3.exceptions.HTTPError, OSError):
                text = _readable(answer.read(_MOST_BYTES))
            return answer.status, text, answer.headers.get("Retry-After")
        finally:
            answer.close()


def _readable(body: bytes) -> str:
    """Return the beginning of a body as text of one line, without control characters."""
    text = body.decode("utf-8", "replace")
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _explain(error: Exception, line: Line) -> str:
    """Return a sentence about a failure; it has no more than the log of deliveries may show."""
    if isinstance(error, RefusedAddressError):
        return str(error)
    if line.is_late or isinstance(error, urllib3.exceptions.TimeoutError | TimeoutError):
        return f"There was no answer within {line.timeout:g} seconds"
    if isinstance(error, socket.gaierror):
        return "The name of the host isn't known"
    if isinstance(error, urllib3.exceptions.SSLError):
        return f"TLS failed: {' '.join(str(error).split())[:200]}"
    return "The connection failed"
